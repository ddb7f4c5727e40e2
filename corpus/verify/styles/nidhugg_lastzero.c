// Writers of an array of atomics and a reader that looks for the last zero.
//@ all: holds: element 0 is never written
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#ifndef N
#define N 3
#endif
atomic_int array[N + 1];
void *reader(void *unused) { int i; for (i = N; atomic_load(&array[i]) != 0; i--) ; assert(i >= 0); return NULL; }
void *writer(void *arg) { int j = *((int *)arg); atomic_store(&array[j], atomic_load(&array[j - 1]) + 1); return NULL; }
int main(void) {
  pthread_t t[N + 1]; int arg[N + 1];
  for (int i = 0; i <= N; i++) { arg[i] = i; if (i == 0) pthread_create(&t[i], NULL, reader, &arg[i]); else pthread_create(&t[i], NULL, writer, &arg[i]); }
  for (int i = 0; i <= N; i++) pthread_join(t[i], NULL);
  return 0;
}
