// A lock of an assumption in an atomic section keeps its order, but the counter is touched outside.
//@ sc tso pso relaxed armv8 riscv: assert fails: both threads may read the counter before either writes it
#include <pthread.h>
extern void abort(void);
void reach_error(void) { }
int lock, counter;
void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(lock == 0); lock = 1; }
void __VERIFIER_atomic_release(void) { lock = 0; }
void *work(void *arg) {
  __VERIFIER_atomic_acquire();
  int old = counter;
  __VERIFIER_atomic_release();
  __VERIFIER_atomic_acquire();
  counter = old + 1;
  __VERIFIER_atomic_release();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2) { reach_error(); abort(); }
  return 0;
}
