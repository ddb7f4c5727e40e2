// Store buffering as a preprocessed weak-memory test writes it, with explicit buffers as variables.
//@ sc tso pso relaxed armv8 riscv: assert fails: the emulated buffer lets both reads see the old values
void reach_error(void);
extern void abort(void);
void reach_error() { }
void __VERIFIER_assert(int expression) { if (!expression) { ERROR: {reach_error();abort();}}; return; }
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();
typedef unsigned char _Bool8;
extern _Bool __VERIFIER_nondet_bool(void);
typedef unsigned long pthread_t;
union pthread_attr_t { char __size[56]; long __align; };
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
void * P0(void *arg);
void * P1(void *arg);
int __unbuffered_cnt = 0;
int __unbuffered_p0_EAX = 0;
int __unbuffered_p1_EAX = 0;
_Bool main$tmp_guard0;
_Bool main$tmp_guard1;
int x = 0;
int y = 0;
int y$w_buff0;
_Bool y$w_buff0_used;
void * P0(void *arg)
{
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_p0_EAX = y;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_cnt = __unbuffered_cnt + 1;
  __VERIFIER_atomic_end();
  return 0;
}
void * P1(void *arg)
{
  __VERIFIER_atomic_begin();
  y$w_buff0 = 1;
  y$w_buff0_used = (_Bool)1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_p1_EAX = x;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  y = y$w_buff0_used ? y$w_buff0 : y;
  y$w_buff0_used = (_Bool)0;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __unbuffered_cnt = __unbuffered_cnt + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main()
{
  pthread_t t0;
  pthread_create(&t0, ((void *)0), P0, ((void *)0));
  pthread_t t1;
  pthread_create(&t1, ((void *)0), P1, ((void *)0));
  __VERIFIER_atomic_begin();
  main$tmp_guard0 = __unbuffered_cnt == 2;
  __VERIFIER_atomic_end();
  if (!main$tmp_guard0) { abort(); }
  __VERIFIER_atomic_begin();
  main$tmp_guard1 = !(__unbuffered_p0_EAX == 0 && __unbuffered_p1_EAX == 0);
  __VERIFIER_atomic_end();
  __VERIFIER_assert(main$tmp_guard1);
  return 0;
}
