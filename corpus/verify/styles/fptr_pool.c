// A pool of two threads that take tasks, which are pointers to functions, off a shared array.
//@ all: holds: each task is taken once, by the atomic counter
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
typedef void (*task)(int *);
static int results[3];
static void one(int *r) { *r += 1; }
static void two(int *r) { *r += 2; }
static void three(int *r) { *r += 3; }
static task tasks[] = { one, two, three };
static atomic_int next;
static void *worker(void *unused) {
  for (;;) {
    int mine = atomic_fetch_add(&next, 1);
    if (mine >= (int)(sizeof tasks / sizeof tasks[0])) break;
    tasks[mine](&results[mine]);
  }
  return unused;
}
int main(void) {
  pthread_t t[2];
  void *(*start)(void *) = worker;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, start, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < 3; i++) assert(results[i] == i + 1);
}
