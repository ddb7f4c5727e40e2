// A ring of pointers in the manner of Linux: a slot that is not empty says that there is something.
//$ check FILE --test '( produce produce | consume consume )' --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ check FILE -DNO_RELEASE --test '( produce | consume )' --model tso --model armv8 --model lkmm
#include <fencepost.h>
#include <lkmm.h>

struct ptr_ring { int producer; int consumer; int size; void *queue[2]; };
static struct ptr_ring ring = { .size = 2 };
static int items[3];

static int ptr_ring_full(struct ptr_ring *r) { return READ_ONCE(r->queue[r->producer]) != NULL; }

static int ptr_ring_produce(struct ptr_ring *r, void *ptr) {
    if (ptr_ring_full(r)) return -1;
#ifndef NO_RELEASE
    smp_wmb();
#endif
    WRITE_ONCE(r->queue[r->producer++], ptr);
    if (r->producer >= r->size) r->producer = 0;
    return 0;
}

static void *ptr_ring_consume(struct ptr_ring *r) {
    void *ptr = READ_ONCE(r->queue[r->consumer]);
    if (ptr == NULL) return NULL;
    int consumer = r->consumer;
    if (++r->consumer >= r->size) r->consumer = 0;
    WRITE_ONCE(r->queue[consumer], NULL);
    return ptr;
}

void init(void) { }
void produce(void) {
    static int next;
    int number = next++;
    items[number] = 5 + number;
    fp_observe("produced", ptr_ring_produce(&ring, &items[number]));
}
void consume(void) {
    int *item = ptr_ring_consume(&ring);
    fp_observe("consumed", item ? *item : -1);
}
