// Many threads, each with an element of its own of an array that main fills and adds up.
//@ sc tso rc11: holds: main writes each element before it starts the thread, and reads it after the end
#include <pthread.h>
#include <assert.h>
#define N 20
int squares[N];
void *square(void *arg) { int i = *(int *)arg; squares[i] = i * i; return 0; }
int main(void) {
  pthread_t t[N];
  int id[N], sum = 0;
  for (int i = 0; i < N; i++) { id[i] = i; pthread_create(&t[i], 0, square, &id[i]); }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) sum += squares[i];
  assert(sum == 2470);
  return 0;
}
