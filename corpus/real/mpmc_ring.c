// A ring of two producers with a head that is reserved and a tail that is published in order (the
// style of DPDK's rte_ring and of FreeBSD's buf_ring).
//$ check FILE --test '( put | put )' --test '( put | get )' --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ check FILE --test '( put | get )' --model armv8 --model rc11 -DRELAXED
//$ check FILE --test '( put | get )' --model armv8 -DRELAXED --property memory,deadlock
#include <fencepost.h>
#include <stdatomic.h>

#define SIZE 2u

struct ends {
    atomic_uint head, tail;
};

static struct ring {
    struct ends prod, cons;
    int slots[SIZE];
} ring;

#ifdef RELAXED
#define UPDATED memory_order_relaxed
#else
#define UPDATED memory_order_release
#endif

static inline void update_tail(struct ends *ends, unsigned old, unsigned new) {
    while (atomic_load_explicit(&ends->tail, memory_order_relaxed) != old)
        ;
    atomic_store_explicit(&ends->tail, new, UPDATED);
}

void init(void) {}

void put(void) {
    unsigned head = atomic_load_explicit(&ring.prod.head, memory_order_relaxed);
    do {
        unsigned tail = atomic_load_explicit(&ring.cons.tail, memory_order_acquire);
        if (head - tail >= SIZE) {
            fp_observe("put", 0);
            return;
        }
    } while (!atomic_compare_exchange_strong_explicit(&ring.prod.head, &head, head + 1,
                                                      memory_order_relaxed, memory_order_relaxed));
    ring.slots[head % SIZE] = 7;
    update_tail(&ring.prod, head, head + 1);
    fp_observe("put", 1);
}

void get(void) {
    unsigned head = atomic_load_explicit(&ring.cons.head, memory_order_relaxed);
    do {
        unsigned tail = atomic_load_explicit(&ring.prod.tail, memory_order_acquire);
        if (head == tail) {
            fp_observe("got", -1);
            return;
        }
    } while (!atomic_compare_exchange_strong_explicit(&ring.cons.head, &head, head + 1,
                                                      memory_order_relaxed, memory_order_relaxed));
    int value = ring.slots[head % SIZE];
    update_tail(&ring.cons, head, head + 1);
    fp_observe("got", value);
}
