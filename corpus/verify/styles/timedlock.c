// A timed lock can fail though nobody else ever holds the lock for long.
//@ all: assert fails, deadlock open: the wait may time out while the other thread holds the lock
#include <pthread.h>
#include <time.h>
#include <errno.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *f(void *p) {
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  ts.tv_sec += 5;
  int r = pthread_mutex_timedlock(&m, &ts);
  assert(r == 0);
  if (r == ETIMEDOUT) return 0;
  shared++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, f, 0);
  pthread_mutex_lock(&m);
  shared++;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
