// Atomic operations on what is no pointer to an atomic object.
#include <stdatomic.h>
atomic_int x;
const atomic_int c;
int main(void) {
    atomic_fetch_add(x, 1);
    atomic_store(&c, 1);
    atomic_fetch_add((void *)&x, 1);
    return 0;
}
