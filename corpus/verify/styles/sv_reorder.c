// A writer of two globals, a checker that must see both or none; threads in arrays from the heap.
//@ all: assert fails: the checker may run between the two stores
//@ rc11: assert fails, race fails: both variables are plain
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
static int iSet = 2;
static int iCheck = 1;
static int a = 0;
static int b = 0;
void *setThread(void *param);
void *checkThread(void *param);
int main(int argc, char *argv[]) {
  int i, err;
  if (argc != 1) {
    if (argc != 3) { fprintf(stderr, "./reorder <param1> <param2>\n"); exit(-1); }
    else { sscanf_is_not_needed: iSet = atoi(argv[1]); iCheck = atoi(argv[2]); }
  }
  pthread_t *setPool = (pthread_t *)malloc(sizeof(pthread_t) * iSet);
  pthread_t *checkPool = (pthread_t *)malloc(sizeof(pthread_t) * iCheck);
  for (i = 0; i < iSet; i++) {
    if (0 != (err = pthread_create(&setPool[i], NULL, &setThread, NULL))) {
      fprintf(stderr, "Error [%d] found creating set thread.\n", err);
      exit(-1);
    }
  }
  for (i = 0; i < iCheck; i++) {
    if (0 != (err = pthread_create(&checkPool[i], NULL, &checkThread, NULL))) {
      fprintf(stderr, "Error [%d] found creating check thread.\n", err);
      exit(-1);
    }
  }
  for (i = 0; i < iSet; i++) {
    if (0 != (err = pthread_join(setPool[i], NULL))) { fprintf(stderr, "pthread join error: %d\n", err); exit(-1); }
  }
  for (i = 0; i < iCheck; i++) {
    if (0 != (err = pthread_join(checkPool[i], NULL))) { fprintf(stderr, "pthread join error: %d\n", err); exit(-1); }
  }
  free(setPool); free(checkPool);
  return 0;
}
void *setThread(void *param) { a = 1; b = -1; return NULL; }
void *checkThread(void *param) {
  if (!((a == 0 && b == 0) || (a == 1 && b == -1))) {
    fprintf(stderr, "Bug found!\n");
    assert(0);
  }
  return NULL;
}
