// A table of accounts, each struct with a lock of its own.
//@ all: holds: every access to a balance is under the lock of the same struct
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct account { pthread_mutex_t lock; int balance; };
static struct account accounts[2];
extern int __VERIFIER_nondet_int(void);
static void *clerk(void *arg) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1) return NULL;
  pthread_mutex_lock(&accounts[i].lock);
  accounts[i].balance++;
  pthread_mutex_unlock(&accounts[i].lock);
  return NULL;
}
int main(void) {
  pthread_t ids[2];
  for (int i = 0; i < 2; i++) pthread_mutex_init(&accounts[i].lock, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, clerk, NULL);
  for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
  assert(accounts[0].balance + accounts[1].balance <= 2);
  return 0;
}
