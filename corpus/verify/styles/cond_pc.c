// Producer and consumer with two condition variables and a one-place buffer.
//@ all: holds: each waits in a loop for its condition under the mutex
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
static int num, item, total;
static void *producer(void *p) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (num > 0) pthread_cond_wait(&empty, &m);
    item = i; num++;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&full);
  }
  return p;
}
static void *consumer(void *p) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (num == 0) pthread_cond_wait(&full, &m);
    assert(item == i); total += item; num--;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&empty);
  }
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0); pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(total == 3);
}
