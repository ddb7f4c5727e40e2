// An error-checking mutex says so when its owner takes it again, or when a stranger gives it back.
//@ all: holds: the errors are the ones POSIX names
#include <pthread.h>
#include <errno.h>
#include <assert.h>
static pthread_mutex_t m;
static void *stranger(void *p) { assert(pthread_mutex_unlock(&m) == EPERM); return p; }
int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &attr);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  pthread_t t;
  pthread_create(&t, 0, stranger, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_unlock(&m) == 0);
}
