// A driver whose functions are called in any order, for as long as the environment likes.
//@ sc: liveness open: a device is released only by who has opened it; it goes on for as long as the environment likes
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct operations { int (*open)(void); void (*release)(void); };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int opened, interrupts;
static int device_open(void) {
  pthread_mutex_lock(&lock);
  int before = opened;
  opened = 1;
  pthread_mutex_unlock(&lock);
  return before ? -16 : 0;
}
static void device_release(void) {
  pthread_mutex_lock(&lock);
  assert(opened);
  opened = 0;
  pthread_mutex_unlock(&lock);
}
static const struct operations operations = { .open = device_open, .release = device_release };
static void *handler(void *arg) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    interrupts = !interrupts;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  int state = 0;
  pthread_create(&t, 0, handler, 0);
  while (1) {
    switch (__VERIFIER_nondet_int()) {
    case 0: if (state == 0 && operations.open() == 0) state = 1; break;
    case 1: if (state == 1) { operations.release(); state = 0; } break;
    default: goto out;
    }
  }
out:
  pthread_join(t, 0);
  return 0;
}
