// A program in the style of 1978.
//@ all: holds: the threads write different elements
#include <pthread.h>
#include <assert.h>
int cells[2];
void *fill(p) void *p; { register int i; i = (int)(long)p; cells[i] = i + 1; return p; }
int sum(v, n) int *v; int n; { int s = 0; while (n--) s += *v++; return s; }
main() {
  pthread_t t[2]; long i;
  for (i = 0; i < 2; i++) pthread_create(&t[i], (pthread_attr_t *)0, fill, (void *)i);
  for (i = 0; i < 2; i++) pthread_join(t[i], (void **)0);
  assert(sum(cells, 2) == 3);
  return 0;
}
