/* A ring buffer with power-of-two masks, and a sliding window over it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CAPACITY 8u
_Static_assert((CAPACITY & (CAPACITY - 1)) == 0, "a power of two");

struct ring { uint32_t head, tail; int16_t items[CAPACITY]; };

static bool put(struct ring *r, int16_t v) {
    if (r->head - r->tail == CAPACITY) return false;
    r->items[r->head++ & (CAPACITY - 1)] = v;
    return true;
}

static bool take(struct ring *r, int16_t *v) {
    if (r->head == r->tail) return false;
    *v = r->items[r->tail++ & (CAPACITY - 1)];
    return true;
}

int main(void) {
    struct ring r = { .head = UINT32_MAX - 3, .tail = UINT32_MAX - 3 };
    int16_t v;
    int stored = 0;
    for (int16_t i = 0; i < 12; i++) stored += put(&r, i * 1000);
    printf("%d %u\n", stored, r.head - r.tail);
    for (int i = 0; i < 3; i++) if (take(&r, &v)) printf("%d ", v);
    printf("\n");
    put(&r, -1);
    put(&r, (int16_t)40000);
    while (take(&r, &v)) printf("%d ", v);
    printf("\n%d %u\n", take(&r, &v), r.head);
    return 0;
}
