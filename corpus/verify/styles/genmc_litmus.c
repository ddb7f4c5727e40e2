// In the style of a stateless model checker's tests: a variant header, error through the assert in main.
//@ sc tso rc11 pso armv8 power riscv relaxed: holds: release and acquire order the message
#include <stdlib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x = ATOMIC_VAR_INIT(0); atomic_int y = ATOMIC_VAR_INIT(0);
void *thread_1(void *unused) { atomic_store_explicit(&x, 42, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_release); return NULL; }
void *thread_2(void *unused) {
  int r = atomic_load_explicit(&y, memory_order_acquire);
  if (r == 1) assert(atomic_load_explicit(&x, memory_order_relaxed) == 42);
  return NULL;
}
int main() { pthread_t t1, t2;
  if (pthread_create(&t1, NULL, thread_1, NULL)) abort();
  if (pthread_create(&t2, NULL, thread_2, NULL)) abort();
  return 0; }
