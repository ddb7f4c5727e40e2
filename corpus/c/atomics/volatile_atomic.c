/* Generic functions take volatile atomics and members of arrays of structs. */
#include <stdatomic.h>
#include <stdio.h>

struct cell {
    char padding;
    volatile atomic_uint sequence;
};

static struct cell cells[3];

int main(void) {
    for (unsigned i = 0; i < 3; i++) atomic_init(&cells[i].sequence, i * 5);
    atomic_fetch_add(&cells[1].sequence, 100);
    volatile atomic_uint *place = &cells[2].sequence;
    unsigned expected = 10;
    printf("%d\n", atomic_compare_exchange_strong(place, &expected, 11u));
    for (int i = 0; i < 3; i++) printf("%u\n", atomic_load(&cells[i].sequence));
    return 0;
}
