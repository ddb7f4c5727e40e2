// A reader assumes, in an atomic section, what may never come true: then its execution does not
// count, and nobody can be said to wait.
//@ sc tso pso relaxed armv8 riscv: holds: what an assumption discards neither waits nor keeps others waiting
#include <pthread.h>
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
int idx, done;
void __VERIFIER_atomic_use(int mine) { assume_abort_if_not(mine >= 1); done++; }
void __VERIFIER_atomic_wait(void) { __VERIFIER_assume(done > 0); }
void *reader(void *arg) { int mine = __VERIFIER_nondet_int(); __VERIFIER_atomic_use(mine); return 0; }
void *writer(void *arg) { __VERIFIER_atomic_wait(); return 0; }
int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
  return 0;
}
