// A lock of atomic_flag around a plain counter.
//@ all: holds: taking the flag acquires what giving it released
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_flag f = ATOMIC_FLAG_INIT;
static int n;
static void *t(void *p) {
  while (atomic_flag_test_and_set_explicit(&f, memory_order_acquire)) ;
  n++;
  atomic_flag_clear_explicit(&f, memory_order_release);
  return p;
}
int main() {
  pthread_t a, b;
  if (pthread_create(&a, 0, t, 0)) return 1;
  if (pthread_create(&b, 0, t, 0)) return 1;
  pthread_join(a, 0); pthread_join(b, 0);
  assert(n == 2);
  return 0;
}
