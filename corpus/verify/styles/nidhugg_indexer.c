// Threads that insert into a hash table with compare-and-swap.
//@ all: holds: a full table is not possible with so few entries
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define SIZE 8
#define MAX 2
#define NUM 2
static atomic_int table[SIZE];
static void *thread_routine(void *arg) {
  int tid = *((int *)arg), m = 0, w, h;
  while (1) {
    if (m < MAX) { w = (++m) * 11 + tid; } else { pthread_exit(NULL); }
    h = (w * 7) % SIZE;
    if (h < 0) assert(0);
    int expected = 0;
    while (!atomic_compare_exchange_strong(&table[h], &expected, w)) { h = (h + 1) % SIZE; expected = 0; }
  }
}
int main() {
  int i, arg[NUM]; pthread_t tids[NUM];
  for (i = 0; i < NUM; i++) { arg[i] = i; pthread_create(&tids[i], NULL, thread_routine, &arg[i]); }
  for (i = 0; i < NUM; i++) pthread_join(tids[i], NULL);
  int used = 0; for (i = 0; i < SIZE; i++) used += table[i] != 0;
  assert(used == 4);
  return 0;
}
