// A program with an assert of its own.
//@ all: assert fails: the flag may be read before it is set
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef assert
#undef assert
#endif
#define assert(e) if (!(e)) ERROR: myerror(#e, __FILE__, __LINE__)
static void myerror(const char *e, const char *f, int line) { fprintf(stderr, "%s:%d: %s\n", f, line, e); abort(); }
static _Atomic int flag;
static void *f(void *p) { flag = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(flag == 1);
  pthread_join(t, 0);
  return 0;
}
