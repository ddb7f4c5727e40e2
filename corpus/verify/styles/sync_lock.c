// A lock of __sync builtins with a volatile counter.
//@ all: holds: lock_test_and_set acquires and lock_release releases
//@ rc11: race fails: the inner loop reads the lock without an atomic access
#include <pthread.h>
#include <assert.h>
static volatile int lock; static int n;
static void take(volatile int *l) { while (__sync_lock_test_and_set(l, 1)) while (*l) ; }
static void give(volatile int *l) { __sync_lock_release(l); }
void *t(void *p) { take(&lock); ++n; give(&lock); return p; }
int main() { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); assert(n == 2); return 0; }
