// Goto out of nested locks, switch with fall-through, a do-while(0) macro.
//@ all: holds: every path gives back what it took
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int count;
extern int __VERIFIER_nondet_int(void);
#define CHECK(x) do { if (!(x)) goto out; } while (0)
static int step(int mode) {
  int err = -1;
  pthread_mutex_lock(&a);
  CHECK(mode != 3);
  pthread_mutex_lock(&b);
  switch (mode) {
  case 0: count++; /* fall through */
  case 1: count++; err = 0; break;
  case 2: goto unlock_b;
  default: break;
  }
unlock_b:
  pthread_mutex_unlock(&b);
out:
  pthread_mutex_unlock(&a);
  return err;
}
static void *f(void *p) { step(__VERIFIER_nondet_int() & 3); return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  assert(count >= 0 && count <= 4);
}
