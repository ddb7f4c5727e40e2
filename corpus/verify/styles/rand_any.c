// rand() may be anything that is not negative.
//@ all: assert fails: the random number may be the forbidden one
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <assert.h>
static int choice;
static void *f(void *p) { choice = rand() % 3; return p; }
int main(void) {
  srand(time(NULL));
  pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
  assert(choice >= 0 && choice < 3);
  assert(choice != 2);
}
