// An element with members of several widths, copied through `void *` to a computed slot, is copied
// member by member, also where a reader takes one member out of the slot itself.
//$ check FILE --test '( put put | get peek )' --model sc --model tso --model armv8 --model power --model rc11
//$ check FILE --test '( put | get )' -DWEAK --model tso --model armv8
//$ verify FILE -DTORN --property assert --model sc
//$ verify FILE -DMOVED --property assert --property memory --model sc --engine sat
#include <fencepost.h>
#include <stdatomic.h>
#include <string.h>

struct element { void *user; int key; short kind; char tag; };
static struct element slots[2];
static atomic_uint head, tail;

#ifdef WEAK
#define SHOWN memory_order_relaxed
#else
#define SHOWN memory_order_release
#endif

static void copy_in(void *buffer, unsigned at, const void *from, size_t size) {
    memcpy((char *)buffer + size * (at & 1), from, size);
}

static void copy_out(void *to, const void *buffer, unsigned at, size_t size) {
    memcpy(to, (const char *)buffer + size * (at & 1), size);
}

void init(void) {}

void put(void) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    struct element e = { .user = &head, .key = 1 + (int)at, .kind = 2, .tag = 'x' };
    if (at - atomic_load_explicit(&head, memory_order_acquire) == 2) return;
    copy_in(slots, at, &e, sizeof e);
    atomic_store_explicit(&tail, at + 1, SHOWN);
}

void get(void) {
    struct element e;
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (atomic_load_explicit(&tail, memory_order_acquire) == at) {
        fp_observe("key", 0);
        return;
    }
    copy_out(&e, slots, at, sizeof e);
    fp_observe("key", e.key);
    fp_observe("kind", e.kind);
    fp_observe("user", e.user == &head);
    atomic_store_explicit(&head, at + 1, memory_order_release);
}

/* The key of the first element, which nobody takes meanwhile. */
void peek(void) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    int some = atomic_load_explicit(&tail, memory_order_acquire) != at;
    fp_observe("first", some ? slots[at & 1].key : 0);
}

#ifdef MOVED
#include <assert.h>

static void move(void *to, const void *from, size_t size) { memmove(to, from, size); }

int main(void) {
    struct element e[3] = { { NULL, 1, 2, 'a' }, { e, 3, 4, 'b' } };
    move(e + 1, e, 2 * sizeof *e);
    assert(e[1].key == 1 && e[1].tag == 'a' && e[2].user == e && e[2].kind == 4);
    move(e, e + 1, 2 * sizeof *e);
    assert(e[0].key == 1 && e[1].user == e && e[1].tag == 'b');
    return 0;
}
#endif

#ifdef TORN
#include <assert.h>
#include <pthread.h>

static void *writes(void *unused) {
    struct element e = { .user = unused, .key = 1, .kind = 2, .tag = 'x' };
    copy_in(slots, 0, &e, sizeof e);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct element e;
    pthread_create(&thread, NULL, writes, NULL);
    copy_out(&e, slots, 0, sizeof e);
    assert((e.key == 1) == (e.kind == 2)); /* one of them may be old */
    pthread_join(thread, NULL);
    return 0;
}
#endif
