// Two threads add to each other's numbers; the largest sums come of strict alternation.
//@ all: assert fails: strict alternation gives the Fibonacci number
//@ rc11: assert fails, race fails: the numbers are plain
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
int i, j;
#define NUM 3
#define LIMIT (2*NUM+6)
void __VERIFIER_atomic_acquire(void) { }
void *t1(void *arg) { for (int k = 0; k < NUM; k++) { i += j; } pthread_exit(NULL); }
void *t2(void *arg) { for (int k = 0; k < NUM; k++) { j += i; } pthread_exit(NULL); }
int fib(int n) { int a = 0, b = 1; for (int k = 0; k < n; k++) { int c = a + b; a = b; b = c; } return b; }
int main(int argc, char **argv) {
  pthread_t id1, id2;
  i = 1; j = 1;
  pthread_create(&id1, NULL, t1, NULL);
  pthread_create(&id2, NULL, t2, NULL);
  int correct = fib(1 + 2 * NUM);
  int c1 = i, c2 = j;
  if (c1 >= correct || c2 >= correct) { ERROR: {reach_error(); abort();} }
  return 0;
}
