// Semaphores as a rendezvous of two threads, with trywait.
//@ all: holds: each waits for the other's post
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
static sem_t a, b;
static int x, y;
static void *f(void *p) { x = 1; sem_post(&a); sem_wait(&b); assert(y == 1); return p; }
static void *g(void *p) { y = 1; sem_post(&b); sem_wait(&a); assert(x == 1); return p; }
int main(void) {
  pthread_t s, t;
  int v;
  sem_init(&a, 0, 0); sem_init(&b, 0, 0);
  assert(sem_trywait(&a) != 0);
  pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  sem_getvalue(&a, &v); assert(v == 0);
  sem_destroy(&a); sem_destroy(&b);
}
