// A ring of pointers after its own header, with bursts: heads are moved by compare-and-swap, entries
// copied four at a time with a rest that falls through, tails handed on in order, and the producers'
// waiting counts its pauses (the style of DPDK).
//$ verify FILE --engine sat --property assert --property race --property liveness --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ verify FILE -DRELAXED_WAIT --property race --model power --model rc11
//$ verify FILE -DWEAK --property memory --model armv8
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define always_inline inline __attribute__((always_inline))
#define CACHE_ALIGNED __attribute__((__aligned__(64)))

#ifdef WEAK
#define SHOWN __ATOMIC_RELAXED
#else
#define SHOWN __ATOMIC_RELEASE
#endif

/* Who reads a tail of the second producer has synchronised with the first only if that one has. */
#ifdef RELAXED_WAIT
#define WAITED __ATOMIC_RELAXED
#else
#define WAITED __ATOMIC_ACQUIRE
#endif

struct headtail {
    volatile uint32_t head;
    volatile uint32_t tail;
    union {
        int sync_type;
        uint32_t single;
    };
};

struct ring {
    char name[32] CACHE_ALIGNED;
    uint32_t size, mask, capacity;
    struct headtail prod CACHE_ALIGNED;
    struct headtail cons CACHE_ALIGNED;
};

static always_inline void cpu_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static __thread unsigned long pauses; /* a statistic */

static always_inline void wait_until_equal(volatile uint32_t *at, uint32_t expected) {
    while (__atomic_load_n(at, WAITED) != expected) {
        cpu_pause();
        pauses++;
    }
}

static always_inline void update_tail(struct headtail *ht, uint32_t old, uint32_t new,
                                      uint32_t single) {
    if (!single) wait_until_equal(&ht->tail, old);
    __atomic_store_n(&ht->tail, new, SHOWN);
}

static always_inline unsigned move_prod_head(struct ring *r, unsigned n, uint32_t *old,
                                             uint32_t *new) {
    const uint32_t capacity = r->capacity;
    unsigned free, success;
    *old = __atomic_load_n(&r->prod.head, __ATOMIC_RELAXED);
    do {
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        free = capacity + __atomic_load_n(&r->cons.tail, __ATOMIC_ACQUIRE) - *old;
        if (unlikely(n > free)) n = free;
        if (n == 0) return 0;
        *new = *old + n;
        if (r->prod.single)
            r->prod.head = *new, success = 1;
        else
            success = __atomic_compare_exchange_n(&r->prod.head, old, *new, 0, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED);
    } while (unlikely(success == 0));
    return n;
}

static always_inline unsigned move_cons_head(struct ring *r, unsigned n, uint32_t *old,
                                             uint32_t *new) {
    unsigned entries;
    *old = r->cons.head;
    entries = __atomic_load_n(&r->prod.tail, __ATOMIC_ACQUIRE) - *old;
    if (n > entries) n = entries;
    *new = *old + n;
    r->cons.head = *new;
    return n;
}

#define COPY_PTRS(TO, AT)                                                                          \
    do {                                                                                           \
        unsigned i;                                                                                \
        for (i = 0; i < (n & ~(unsigned)0x3); i += 4) {                                            \
            TO(i, AT);                                                                             \
            TO(i + 1, AT);                                                                         \
            TO(i + 2, AT);                                                                         \
            TO(i + 3, AT);                                                                         \
        }                                                                                          \
        switch (n & 0x3) {                                                                         \
        case 3: TO(i, AT); i++; /* fallthrough */                                                  \
        case 2: TO(i, AT); i++; /* fallthrough */                                                  \
        case 1: TO(i, AT); i++;                                                                    \
        }                                                                                          \
    } while (0)

static unsigned enqueue_burst(struct ring *r, void *const *table, unsigned n) {
    uint32_t head, next;
    n = move_prod_head(r, n, &head, &next);
    if (n == 0) return 0;
    void **ring = (void **)&r[1];
#define PUT(i, at) ring[((at) + (i)) & r->mask] = table[i]
    COPY_PTRS(PUT, head);
    update_tail(&r->prod, head, next, r->prod.single);
    return n;
}

static unsigned dequeue_burst(struct ring *r, void **table, unsigned n) {
    uint32_t head, next;
    n = move_cons_head(r, n, &head, &next);
    if (n == 0) return 0;
    void **ring = (void **)&r[1];
#define GET(i, at) table[i] = ring[((at) + (i)) & r->mask]
    COPY_PTRS(GET, head);
    update_tail(&r->cons, head, next, 1);
    return n;
}

static struct ring *ring_create(unsigned count) {
    struct ring *r = aligned_alloc(64, sizeof *r + 8 * count < 256 ? 256 : 320);
    *r = (struct ring){.name = "burst", .size = count, .mask = count - 1, .capacity = count - 1};
    return r;
}

static struct ring *ring;
static int items[2] = {1, 2};

static void *produces(void *item) {
    void *one[1] = {item};
    assert(enqueue_burst(ring, one, 1) == 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    void *taken[2];
    ring = ring_create(4);
    pthread_create(&first, NULL, produces, &items[0]);
    pthread_create(&second, NULL, produces, &items[1]);
    unsigned n = dequeue_burst(ring, taken, 2);
    for (unsigned i = 0; i < n; i++) assert(taken[i] == &items[0] || taken[i] == &items[1]);
    if (n == 2) assert(taken[0] != taken[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(n + dequeue_burst(ring, taken, 2) == 2);
    free(ring);
    return 0;
}
