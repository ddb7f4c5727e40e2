// Macros of a header and of the program itself that are defined again, otherwise.
#include <assert.h>
#include <stddef.h>
#define NULL 0
#define assert(condition) ((condition) ? (void)0 : (void)1)
#define N 1
#define N 2

int main(void) {
    void *nothing = NULL;
    assert(nothing);
    return N - 2;
}
