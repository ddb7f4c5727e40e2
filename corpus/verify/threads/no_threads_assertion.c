// A program without threads whose assertion fails.
//@ all: assert fails: the sum is ten
#include <assert.h>

int main(void) {
    int sum = 0;
    for (int i = 1; i <= 4; i++)
        sum += i;
    assert(sum == 11);
    return 0;
}
