// Two threads that serve for ever, as in a device driver.
//@ sc: liveness open: the lock keeps the change in one piece; nobody waits for ever, but nothing ends either
#include <pthread.h>
#include <assert.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;
void *interrupt(void *arg) {
  while (1) { pthread_mutex_lock(&lock); busy = 1; busy = 0; pthread_mutex_unlock(&lock); }
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, interrupt, 0);
  while (1) { pthread_mutex_lock(&lock); assert(!busy); pthread_mutex_unlock(&lock); }
  return 0;
}
