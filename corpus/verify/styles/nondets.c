// All kinds of nondeterministic input.
//@ all: holds: each value is in the range of its type
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern unsigned __VERIFIER_nondet_unsigned(void);
extern unsigned long __VERIFIER_nondet_size_t(void);
extern void __VERIFIER_assume(int);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void reach_error() {}
void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }
int main(void) {
  _Bool b = __VERIFIER_nondet_bool();
  __VERIFIER_assert(b == 0 || b == 1);
  char c = __VERIFIER_nondet_char(); __VERIFIER_assert(c >= -128 && c <= 127);
  unsigned char uc = __VERIFIER_nondet_uchar(); __VERIFIER_assert(uc <= 255);
  short s = __VERIFIER_nondet_short(); unsigned short us = __VERIFIER_nondet_ushort();
  int i = __VERIFIER_nondet_int(); unsigned u = __VERIFIER_nondet_uint();
  long l = __VERIFIER_nondet_long(); unsigned long ul = __VERIFIER_nondet_ulong();
  long long ll = __VERIFIER_nondet_longlong(); unsigned long long ull = __VERIFIER_nondet_ulonglong();
  unsigned long z = __VERIFIER_nondet_size_t(); unsigned un = __VERIFIER_nondet_unsigned();
  __VERIFIER_assume(i > 10 && i < 20);
  assume_abort_if_not(u < 5);
  __VERIFIER_assert((unsigned)i + u <= 23);
  (void)s; (void)us; (void)l; (void)ul; (void)ll; (void)ull; (void)z; (void)un;
  return 0;
}
