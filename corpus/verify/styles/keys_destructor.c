// Thread-specific buffers that a destructor frees.
//@ all: holds: every thread frees its own buffer when it ends
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make(void) { pthread_key_create(&key, free); }
static char *buffer(void) {
  char *b = pthread_getspecific(key);
  if (!b) { b = malloc(8); memset(b, 0, 8); pthread_setspecific(key, b); }
  return b;
}
static void *f(void *p) {
  char *b = buffer();
  strcpy(b, "abc");
  assert(buffer() == b && strlen(b) == 3);
  return p;
}
int main(void) {
  pthread_once(&once, make);
  pthread_t s, t;
  pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);
  pthread_join(s, 0); pthread_join(t, 0);
}
