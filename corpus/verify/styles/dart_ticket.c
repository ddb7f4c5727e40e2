// A ticket lock in a header's style: static inline functions over a struct of atomics.
//@ all: holds: the releasing store hands the lock over
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <assert.h>
#define NTHREADS 2
struct ticketlock_s { atomic_int next; atomic_int owner; };
typedef struct ticketlock_s ticketlock_t;
static inline void ticketlock_init(struct ticketlock_s *l) { atomic_init(&l->next, 0); atomic_init(&l->owner, 0); }
static inline void ticketlock_acquire(struct ticketlock_s *l) {
  int next = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&l->owner, memory_order_acquire) != next) {}
}
static inline void ticketlock_release(struct ticketlock_s *l) {
  int owner = atomic_load_explicit(&l->owner, memory_order_relaxed);
  atomic_store_explicit(&l->owner, owner + 1, memory_order_release);
}
int shared; ticketlock_t lock; int sum = 0;
void *thread_n(void *arg) {
  intptr_t index = ((intptr_t)arg);
  ticketlock_acquire(&lock);
  shared = index;
  int r = shared;
  assert(r == index);
  sum++;
  ticketlock_release(&lock);
  return NULL;
}
int main() {
  pthread_t t[NTHREADS];
  ticketlock_init(&lock);
  for (int i = 0; i < NTHREADS; i++) pthread_create(&t[i], 0, thread_n, (void *)(size_t)i);
  for (int i = 0; i < NTHREADS; i++) pthread_join(t[i], 0);
  assert(sum == NTHREADS);
  return 0;
}
