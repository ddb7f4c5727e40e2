// main leaves by pthread_exit while a detached thread still works.
//@ all: holds: the other thread runs on
#include <pthread.h>
#include <assert.h>
static int done;
static void *f(void *p) { done = 1; assert(done == 1); return p; }
int main(void) {
  pthread_attr_t attr; pthread_t t;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attr, f, 0);
  pthread_attr_destroy(&attr);
  pthread_exit(0);
}
