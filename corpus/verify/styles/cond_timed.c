// A timed wait in a loop that gives up: it may end without the condition.
//@ all: assert fails: the wait may time out before the flag is set
#include <pthread.h>
#include <errno.h>
#include <time.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;
static void *waiter(void *p) {
  struct timespec t = {0, 0};
  int r = 0;
  pthread_mutex_lock(&m);
  while (!flag && r != ETIMEDOUT) r = pthread_cond_timedwait(&c, &m, &t);
  assert(flag);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waiter, 0);
  pthread_mutex_lock(&m); flag = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
