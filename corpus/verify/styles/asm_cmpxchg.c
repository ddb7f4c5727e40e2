// A counter by lock cmpxchg, and a reference count by lock decl and sete.
//@ sc tso pso relaxed: holds: each update is atomic, and locked instructions are full fences
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile long total;
struct object { int refs, data; };

static inline long cmpxchg(volatile long *p, long old, long new) {
    long prev;
    __asm__ __volatile__("lock; cmpxchgq %1,%2" : "=a"(prev) : "r"(new), "m"(*p), "0"(old) : "memory");
    return prev;
}

static inline int dec_and_test(int *v) {
    unsigned char zero;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*v), "=qm"(zero) : : "memory");
    return zero != 0;
}

static void add(long by) {
    long old;
    do
        old = total;
    while (cmpxchg(&total, old, old + by) != old);
}

static void *user(void *arg) {
    struct object *o = arg;
    add(o->data);
    if (dec_and_test(&o->refs))
        free(o);
    return 0;
}

int main(void) {
    struct object *o = malloc(sizeof *o);
    o->refs = 2;
    o->data = 21;
    pthread_t a, b;
    pthread_create(&a, 0, user, o);
    pthread_create(&b, 0, user, o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 42);
    return 0;
}
