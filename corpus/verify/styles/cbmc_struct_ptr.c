// A struct on main's stack that a thread writes through a pointer, arrays indexed by a shared value.
//@ all: holds: the join orders the writes before the reads
#include <pthread.h>
#include <assert.h>
struct S { int a[4]; struct { char c; short s; } in; int *p; };
void *f(void *arg) { struct S *s = arg; s->in.c = 2; s->in.s = 300; s->a[s->in.c] = 5; *s->p = 9; return s; }
int main() {
  int target = 0; struct S s = { .p = &target }; void *r; pthread_t t;
  pthread_create(&t, 0, f, &s);
  pthread_join(t, &r);
  struct S copy = *(struct S *)r;
  assert(copy.a[2] == 5 && copy.in.s == 300 && target == 9);
  return 0;
}
