// Kernel-style names over C11 atomics.
//@ sc tso armv8 rc11: holds: the release store and the acquire load order the message
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
typedef struct { atomic_int counter; } atomic_t;
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define smp_mb() atomic_thread_fence(memory_order_seq_cst)
#define smp_store_release(p, v) atomic_store_explicit(p, v, memory_order_release)
#define smp_load_acquire(p) atomic_load_explicit(p, memory_order_acquire)
#define likely(x) __builtin_expect(!!(x), 1)
#define barrier() __asm__ __volatile__("" : : : "memory")
atomic_int flag; int buf;
void *w(void *p) { buf = 1; barrier(); smp_store_release(&flag, 1); return 0; }
void *r(void *p) { if (likely(smp_load_acquire(&flag))) { barrier(); int v = READ_ONCE(buf); assert(v == 1); } return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, r, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
