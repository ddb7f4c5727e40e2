// As many threads as the command line asks for, which write lines of a log with a lock.
//@ sc tso rc11: holds: the lock protects the counter, and there are as many lines as threads
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static void print_line(const char *format, ...) {
  va_list list;
  va_start(list, format);
  pthread_mutex_lock(&lock);
  vfprintf(stderr, format, list);
  lines += va_arg(list, int) + 1;
  pthread_mutex_unlock(&lock);
  va_end(list);
}
static void *work(void *arg) { print_line("thread %d of %s\n", 0, (char *)arg); return 0; }
int main(int argc, char *argv[]) {
  int count = 3;
  if (argc > 1) count = atoi(argv[1]);
  pthread_t t[count];
  for (int i = 0; i < count; i++)
    if (pthread_create(&t[i], 0, work, "pool")) { perror("pthread_create"); exit(EXIT_FAILURE); }
  for (int i = 0; i < count; i++) pthread_join(t[i], 0);
  assert(lines == count);
  return EXIT_SUCCESS;
}
