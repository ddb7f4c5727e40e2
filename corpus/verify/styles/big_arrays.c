// Large local and global arrays, of which little is shared.
//@ all: holds: the threads write disjoint halves
#include <pthread.h>
#include <string.h>
#include <assert.h>
#define N 100
static int data[N];
static void *lower(void *p) { int tmp[N]; for (int i = 0; i < N; i++) tmp[i] = i; for (int i = 0; i < 4; i++) data[i] = tmp[i]; return p; }
static void *upper(void *p) { char tmp[1024]; memset(tmp, 7, sizeof tmp); for (int i = 4; i < 8; i++) data[i] = tmp[i]; return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, lower, 0); pthread_create(&u, 0, upper, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  int s = 0; for (int i = 0; i < N; i++) s += data[i];
  assert(s == 6 + 28);
}
