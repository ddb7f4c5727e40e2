// N threads from a macro, each with its own number by address of an array.
//@ all: holds: the fetch-and-adds count all
#ifndef N
# define N 3
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
_Atomic(int) x; int idx[N];
void *inc(void *arg) { int me = *((int *)arg); (void)me; atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); return NULL; }
int main() {
  pthread_t t[N];
  for (int i = 0; i < N; i++) { idx[i] = i; pthread_create(&t[i], NULL, inc, &idx[i]); }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  assert(atomic_load(&x) == N);
  return 0;
}
