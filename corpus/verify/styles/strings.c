// String functions on a buffer that a lock guards.
//@ all: holds: the buffer is only changed under the lock
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char buf[16] = "";
static void *f(void *p) { pthread_mutex_lock(&m); strcat(buf, (const char *)p); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, "x"); pthread_create(&b, 0, f, "y"); pthread_join(a, 0); pthread_join(b, 0); printf("%s %d %5.2s|%c\n", buf, (int)strlen(buf), "abc", 'c'); assert(strcmp(buf, "xy") == 0 || strcmp(buf, "yx") == 0); }
