/* errno is assignable, assertions that hold do nothing, NDEBUG takes them away. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>

static int calls;
static int count(void) { return ++calls; }

int main(void) {
    errno = 0;
    assert(errno == 0);
    errno = EINVAL;
    printf("%d %d %d\n", errno, EBUSY, ETIMEDOUT);
    assert(count() == 1 && "evaluated once");
    printf("%d\n", calls);
#define NDEBUG
#include <assert.h>
    assert(count() == 100);
    printf("%d\n", calls);
#undef NDEBUG
#include <assert.h>
    assert(count() == 2);
    printf("%d\n", calls);
    return 0;
}
