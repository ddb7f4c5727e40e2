// A stack whose weak compare-and-swaps are tried again; what is popped is never freed.
//@ sc rc11: leak fails: nothing points to a node that was popped
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct node { int value; struct node *next; } node;
_Atomic(node *) top;
void push(int value) {
  node *n = malloc(sizeof *n), *old = atomic_load_explicit(&top, memory_order_relaxed);
  n->value = value;
  do n->next = old;
  while (!atomic_compare_exchange_weak_explicit(&top, &old, n, memory_order_release, memory_order_relaxed));
}
int pop(void) {
  node *old = atomic_load_explicit(&top, memory_order_acquire);
  do { if (!old) return 0; }
  while (!atomic_compare_exchange_weak_explicit(&top, &old, old->next, memory_order_acquire, memory_order_acquire));
  return old->value;
}
void *work(void *arg) { push(1); pop(); return arg; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
