// Blocks that other threads free: a list with a tag in the low bits of its head, pushed to by weak
// compare-and-swaps and taken as a whole by the owner (the style of mimalloc). On power a
// store-conditional may fail any number of times, and each attempt stores: there it is `holds*`.
//$ verify FILE --model sc --model tso --model armv8 --model rc11 --model lkmm
//$ verify FILE -DWEAK --property assert --model tso --model armv8 --model rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define mi_atomic(name) atomic_##name
#define mi_memory_order(name) memory_order_##name
#define mi_atomic_load_relaxed(p) mi_atomic(load_explicit)(p, mi_memory_order(relaxed))
#define mi_atomic_cas_weak_release(p, e, d)                                                        \
    mi_atomic(compare_exchange_weak_explicit)(p, e, d, SHOWN, mi_memory_order(relaxed))
#define mi_atomic_cas_weak_acq_rel(p, e, d)                                                        \
    mi_atomic(compare_exchange_weak_explicit)(p, e, d, mi_memory_order(acq_rel),                   \
                                              mi_memory_order(acquire))

#ifdef WEAK
#define SHOWN memory_order_relaxed
#else
#define SHOWN memory_order_release
#endif

typedef enum mi_delayed_e { USE_DELAYED_FREE = 0, DELAYED_FREEING, NO_DELAYED_FREE, NEVER } delayed_t;
typedef uintptr_t encoded_t, thread_free_t;

typedef struct block_s {
    encoded_t next;
} block_t;

typedef struct page_s {
    uint8_t segment_in_use : 1, is_committed : 1;
    uint16_t capacity, reserved;
    union {
        struct { uint8_t in_full : 1, has_aligned : 1; } x;
        uint8_t full_aligned;
    } flags;
    block_t *free, *local_free;
    uint32_t used;
    uintptr_t keys[2];
    _Atomic(thread_free_t) xthread_free;
} page_t;

static inline block_t *tf_block(thread_free_t tf) { return (block_t *)(tf & ~(uintptr_t)3); }
static inline delayed_t tf_delayed(thread_free_t tf) { return (delayed_t)(tf & 3); }
static inline thread_free_t tf_make(block_t *block, delayed_t delayed) {
    return (thread_free_t)((uintptr_t)block | (uintptr_t)delayed);
}
static inline thread_free_t tf_set_block(thread_free_t tf, block_t *block) {
    return tf_make(block, tf_delayed(tf));
}
static inline block_t *block_next(const page_t *page, const block_t *block) {
    (void)page;
    return (block_t *)block->next;
}
static inline void block_set_next(const page_t *page, block_t *block, const block_t *next) {
    (void)page;
    block->next = (encoded_t)next;
}

static void free_from_another_thread(page_t *page, block_t *block) {
    thread_free_t tf = mi_atomic_load_relaxed(&page->xthread_free), tfx;
    do {
        block_set_next(page, block, tf_block(tf));
        tfx = tf_set_block(tf, block);
    } while (!mi_atomic_cas_weak_release(&page->xthread_free, &tf, tfx));
}

static void collect(page_t *page) {
    block_t *head;
    thread_free_t tfree = mi_atomic_load_relaxed(&page->xthread_free), tfreex;
    do {
        head = tf_block(tfree);
        tfreex = tf_set_block(tfree, NULL);
    } while (!mi_atomic_cas_weak_acq_rel(&page->xthread_free, &tfree, tfreex));
    if (head == NULL) return;
    uint32_t max_count = page->capacity, count = 1;
    block_t *tail = head, *next;
    while ((next = block_next(page, tail)) != NULL && count <= max_count) {
        count++;
        tail = next;
    }
    assert(count <= max_count);
    block_set_next(page, tail, page->local_free);
    page->local_free = head;
    page->used -= count;
}

static block_t blocks[2];
static page_t page = { .capacity = 2, .used = 2, .xthread_free = NO_DELAYED_FREE };

static void *frees(void *block) {
    ((block_t *)block)->next = 1; /* the user's data */
    free_from_another_thread(&page, block);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, frees, &blocks[0]);
    pthread_create(&other, NULL, frees, &blocks[1]);
    collect(&page);
    for (block_t *b = page.local_free; b; b = block_next(&page, b)) assert(b == &blocks[0] || b == &blocks[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    collect(&page);
    assert(page.used == 0 && tf_delayed(page.xthread_free) == NO_DELAYED_FREE);
    return 0;
}
