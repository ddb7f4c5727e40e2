// A counter that is a static local, incremented by two threads without a lock.
//@ all: assert fails: one increment is lost
//@ rc11: race fails, assert open: both threads write the static
#include <pthread.h>
#include <assert.h>
static int bump(int by) { static int n = 0; n += by; return n; }
static void *f(void *p) { bump(1); return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  assert(bump(0) == 2);
}
