// Store buffering with volatile variables and inline assembly.
//@ sc tso: holds: mfence drains the store buffer
#include <pthread.h>
#include <assert.h>
volatile int x, y; int r0, r1;
#define FENCE() asm volatile("mfence" ::: "memory")
void *p0(void *a) { x = 1; FENCE(); r0 = y; return 0; }
void *p1(void *a) { y = 1; __asm__ __volatile__ ("mfence":::"memory"); r1 = x; return 0; }
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, p0, 0); pthread_create(&b, 0, p1, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(r0 || r1);
}
