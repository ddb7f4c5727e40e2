// The same with the lock of the wrong struct.
//@ all: assert fails: one increment is lost
//@ rc11: race fails, assert open: two clerks may hold different locks
#include <pthread.h>
#include <assert.h>
struct account { pthread_mutex_t lock; int balance; };
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
static void *clerk(void *arg) {
  int i = *(int *)arg;
  pthread_mutex_lock(&accounts[1 - i].lock);
  accounts[0].balance++;
  pthread_mutex_unlock(&accounts[1 - i].lock);
  return NULL;
}
int main(void) {
  pthread_t ids[2];
  int number[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, clerk, &number[i]);
  for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
  assert(accounts[0].balance == 2);
  return 0;
}
