// Threads that start threads, with results passed up as pointers to heap blocks.
//@ all: holds: each join hands the block over
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
static void *leaf(void *p) { int *r = malloc(sizeof *r); *r = *(int *)p * 2; return r; }
static void *parent(void *p) { pthread_t t; void *r; pthread_create(&t, 0, leaf, p); pthread_join(t, &r); ++*(int *)r; return r; }
int main(void) { int in = 20; pthread_t t; int *r; pthread_create(&t, 0, parent, &in); pthread_join(t, (void **)&r); assert(*r == 41); free(r); return 0; }
