// C11 threads: results, recursive and timed mutexes, thread-specific storage.
//@ all: holds: the mutex guards the counter
#include <threads.h>
#include <stdatomic.h>
#include <assert.h>
static mtx_t m;
static int n;
static tss_t key;
static thread_local int mine;
static int f(void *p) {
  mine = *(int *)p;
  tss_set(key, &mine);
  mtx_lock(&m); mtx_lock(&m);
  n += mine;
  mtx_unlock(&m); mtx_unlock(&m);
  assert(*(int *)tss_get(key) == mine);
  thrd_yield();
  return mine;
}
int main(void) {
  thrd_t t[2]; int arg[2] = {1, 2}; int r;
  assert(mtx_init(&m, mtx_recursive) == thrd_success);
  assert(tss_create(&key, NULL) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_create(&t[i], f, &arg[i]) == thrd_success);
  int sum = 0;
  for (int i = 0; i < 2; i++) { assert(thrd_join(t[i], &r) == thrd_success); sum += r; }
  assert(sum == 3 && n == 3);
  mtx_destroy(&m); tss_delete(key);
  return 0;
}
