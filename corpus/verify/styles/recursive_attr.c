// A recursive mutex by attribute, taken twice by each thread.
//@ all: holds: the owner may take it again
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m;
static int depth, count;
static void inner(void) { pthread_mutex_lock(&m); depth++; assert(depth == 2); count++; depth--; pthread_mutex_unlock(&m); }
static void *f(void *p) {
  pthread_mutex_lock(&m); depth++; inner(); depth--; pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attr);
  pthread_mutexattr_destroy(&attr);
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(count == 2);
  pthread_mutex_destroy(&m);
}
