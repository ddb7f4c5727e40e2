// A spinlock in x86 assembly: xchg to take it, mov to give it back.
//@ sc tso: holds: xchg is one atomic update, and x86 keeps stores in order
//@ pso relaxed: assert fails: without order among stores the lock may be seen free before what was done under it
#include <assert.h>
#include <pthread.h>

typedef struct { volatile int slock; } spinlock_t;
static spinlock_t lock;
static int counter;

static inline void spin_lock(spinlock_t *l) {
    int taken = 1;
    for (;;) {
        __asm__ __volatile__("xchgl %0, %1" : "+r"(taken), "+m"(l->slock) : : "memory");
        if (!taken)
            return;
        while (l->slock)
            __asm__ __volatile__("rep; nop" ::: "memory");
        taken = 1;
    }
}

static inline void spin_unlock(spinlock_t *l) {
    __asm__ __volatile__("movl $0, %0" : "=m"(l->slock) : : "memory");
}

static void *worker(void *arg) {
    (void)arg;
    spin_lock(&lock);
    int seen = counter;
    counter = seen + 1;
    spin_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
