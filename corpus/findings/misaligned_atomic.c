// An atomic access across two words.
#include <stdatomic.h>

static char buffer[16];

int main(void) {
    _Atomic int *count = (_Atomic int *)(buffer + 2);
    return atomic_fetch_add(count, 1);
}
