// A thread that counts only if it gets the lock at once.
//@ all: holds: nothing is said about how often it does
#include <pthread.h>
#include <errno.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, missed[2];
static void *f(void *p) {
  int id = (int)(long)p;
  int r = pthread_mutex_trylock(&m);
  if (r == EBUSY) { missed[id] = 1; return 0; }
  assert(r == 0);
  n++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, (void *)0);
  pthread_create(&b, 0, f, (void *)1);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(n + missed[0] + missed[1] == 2);
  assert(n >= 1);
}
