// Message passing and a reference count in the words of the Linux kernel.
//@ sc tso pso armv8 power riscv: holds: the barriers order both sides, and each count is atomic
#include <lkmm.h>
#include <assert.h>
int data, flag, users;
atomic_t count = ATOMIC_INIT(2);
DEFINE_SPINLOCK(lock);
void *writer(void *arg) {
  WRITE_ONCE(data, 1);
  smp_wmb();
  WRITE_ONCE(flag, 1);
  spin_lock(&lock); users++; spin_unlock(&lock);
  if (atomic_dec_and_test(&count)) assert(users >= 1);
  return arg;
}
void *reader(void *arg) {
  int seen = READ_ONCE(flag);
  smp_rmb();
  assert(!seen || READ_ONCE(data) == 1);
  atomic_dec(&count);
  return arg;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, writer, 0);
  pthread_create(&q, 0, reader, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  assert(atomic_read(&count) == 0);
  return 0;
}
