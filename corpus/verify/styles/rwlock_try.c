// Readers that try, a writer that tries: neither sees the other at work.
//@ all: holds: the lock admits either readers or one writer
#include <pthread.h>
#include <assert.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;
static void *reader(void *p) {
  if (pthread_rwlock_tryrdlock(&l) == 0) { assert(a == b); pthread_rwlock_unlock(&l); }
  return p;
}
static void *writer(void *p) {
  if (pthread_rwlock_trywrlock(&l) == 0) { a++; b++; pthread_rwlock_unlock(&l); }
  return p;
}
int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0); pthread_create(&w, 0, writer, 0);
  pthread_rwlock_rdlock(&l); assert(a == b); pthread_rwlock_unlock(&l);
  pthread_join(r, 0); pthread_join(w, 0);
  pthread_rwlock_destroy(&l);
}
