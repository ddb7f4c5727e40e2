// The second iteration jumps past the initialiser of a local, which C leaves undefined then.
//@ all: holds: the local has what the first iteration left (S-022), so this error is not found
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            goto skip;
        int number = 7;
        assert(number == 7);
    skip:
        assert(number == 7);
    }
    return 0;
}
