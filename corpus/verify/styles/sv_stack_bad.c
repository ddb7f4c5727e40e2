// A stack whose consumer tests emptiness in a lock of its own.
//@ all: assert fails: the two consumers may both see one element before either pops it
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: {reach_error();abort();} } }
#define SIZE 4
static int top = 0;
static unsigned int arr[SIZE];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned int __VERIFIER_nondet_uint(void);
void push(unsigned x) { __VERIFIER_assert(top < SIZE); arr[top] = x; top++; }
unsigned pop(void) { __VERIFIER_assert(top > 0); top--; return arr[top]; }
int is_empty(void) { int r; pthread_mutex_lock(&m); r = top == 0; pthread_mutex_unlock(&m); return r; }
void *consumer(void *arg) {
  if (!is_empty()) {
    pthread_mutex_lock(&m);
    (void)pop();
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  push(__VERIFIER_nondet_uint() % 7u);
  pthread_create(&a, 0, consumer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
