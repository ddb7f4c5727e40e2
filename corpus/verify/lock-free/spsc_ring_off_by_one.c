// A ring that takes itself to have one more place than it has.
//@ sc tso pso relaxed armv8 power riscv: assert fails: a value is overwritten before it is taken
//@ rc11: assert fails, race fails: a place is written while it is read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PLACES = 2 };

static int ring[PLACES];
static atomic_uint written, taken;

static void *producer(void *unused) {
    for (int i = 1; i <= 3; i++) {
        unsigned at = atomic_load(&written);
        if (at - atomic_load(&taken) > PLACES)
            break;
        ring[at % PLACES] = i;
        atomic_store(&written, at + 1);
    }
    return unused;
}

static void *consumer(void *unused) {
    if (atomic_load(&written) > 0) {
        assert(ring[0] == 1);
        atomic_store(&taken, 1);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
