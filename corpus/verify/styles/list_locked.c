// A linked list that threads prepend to under a lock, walked after they have ended.
//@ all: holds: the lock keeps every node
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
typedef struct node_t { int value; struct node_t *next; } node;
typedef struct { node *head; pthread_mutex_t mutex; int length; } list;
static list the_list;
static void list_init(list *l) { l->head = NULL; l->length = 0; pthread_mutex_init(&l->mutex, NULL); }
static void list_add(list *l, int v) {
  node *n = (node *)calloc(1, sizeof *n);
  if (!n) abort();
  n->value = v;
  pthread_mutex_lock(&l->mutex);
  n->next = l->head; l->head = n; l->length++;
  pthread_mutex_unlock(&l->mutex);
}
void *adder(void *p) { list_add(&the_list, (int)(long)p); return NULL; }
int main(void) {
  pthread_t t[2];
  list_init(&the_list);
  for (long i = 0; i < 2; ++i) if (pthread_create(t + i, 0, adder, (void *)(i + 10))) exit(1);
  for (long i = 0; i < 2; ++i) pthread_join(t[i], 0);
  int sum = 0, count = 0;
  for (node *n = the_list.head; n;) { node *old = n; sum += n->value; count++; n = n->next; free(old); }
  assert(sum == 21 && count == the_list.length);
  pthread_mutex_destroy(&the_list.mutex);
  return 0;
}
