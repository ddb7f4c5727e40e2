// A heap object whose size and content come from shared memory.
//@ all: holds: the index is taken modulo the length
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <assert.h>
static int *volatile array; static atomic_int len;
static void *f(void *p) { int n = atomic_load(&len); if (n) array[n % 4] = 1; return p; }
int main(void) { array = malloc(4 * sizeof *array); for (int i = 0; i < 4; i++) array[i] = 0; pthread_t t; pthread_create(&t, 0, f, 0); atomic_store(&len, 3); pthread_join(t, 0); int s = 0; for (int i = 0; i < 4; i++) s += array[i]; assert(s <= 1); free((void *)array); }
