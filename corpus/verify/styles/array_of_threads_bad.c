// The same, but one loop variable serves all threads as their argument.
//@ sc tso: assert fails: a thread may read the variable when it has moved on
//@ rc11: assert fails, race fails: the variable is written while threads read it
#include <pthread.h>
#include <assert.h>
#define N 4
int squares[N + 1];
int i;
void *square(void *arg) { int k = *(int *)arg; squares[k] = k * k; return 0; }
int main(void) {
  pthread_t t[N];
  int sum = 0;
  for (i = 0; i < N; i++) pthread_create(&t[i], 0, square, &i);
  for (int k = 0; k < N; k++) pthread_join(t[k], 0);
  for (int k = 0; k < N; k++) sum += squares[k];
  assert(sum == 14);
  return 0;
}
