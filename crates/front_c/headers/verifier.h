/* What benchmarks of other tools call without defining it: SV-COMP's __VERIFIER_* and CBMC's
   __CPROVER_*. A program does not include this file: where it declares or calls one of these
   functions and does not define it, the definition is taken from here.
   (__CPROVER_fence takes its kinds as strings and is known to the compiler itself.) */
#pragma once

void __VERIFIER_assume(int condition) { __fp_assume(condition != 0); }
void __VERIFIER_assert(int condition) { __fp_assert(condition != 0, "__VERIFIER_assert"); }
void __VERIFIER_error(void) { __fp_trap("__VERIFIER_error() was called"); }
void reach_error(void) { __fp_trap("reach_error() was called"); }

void __VERIFIER_atomic_begin(void) { __fp_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __fp_atomic_end(); }

/* Hints for the reduction of spin loops; they mean nothing to an execution. */
void __VERIFIER_spin_start(void) {}
void __VERIFIER_spin_end(int condition) { (void)condition; }
void __VERIFIER_loop_begin(void) {}
void __VERIFIER_loop_bound(int bound) { (void)bound; }

_Bool __VERIFIER_nondet_bool(void) { return __fp_choose(0, 1); }
char __VERIFIER_nondet_char(void) { return (char)__fp_any_u8(); }
signed char __VERIFIER_nondet_schar(void) { return (signed char)__fp_any_u8(); }
unsigned char __VERIFIER_nondet_uchar(void) { return __fp_any_u8(); }
unsigned char __VERIFIER_nondet_u8(void) { return __fp_any_u8(); }
short __VERIFIER_nondet_short(void) { return (short)__fp_any_u16(); }
unsigned short __VERIFIER_nondet_ushort(void) { return __fp_any_u16(); }
unsigned short __VERIFIER_nondet_u16(void) { return __fp_any_u16(); }
int __VERIFIER_nondet_int(void) { return (int)__fp_any_u32(); }
unsigned int __VERIFIER_nondet_uint(void) { return __fp_any_u32(); }
unsigned int __VERIFIER_nondet_unsigned(void) { return __fp_any_u32(); }
unsigned int __VERIFIER_nondet_u32(void) { return __fp_any_u32(); }
long __VERIFIER_nondet_long(void) { return (long)__fp_any_u64(); }
unsigned long __VERIFIER_nondet_ulong(void) { return __fp_any_u64(); }
long long __VERIFIER_nondet_longlong(void) { return (long long)__fp_any_u64(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return __fp_any_u64(); }
unsigned long __VERIFIER_nondet_u64(void) { return __fp_any_u64(); }
__int128 __VERIFIER_nondet_int128(void) {
    return (__int128)(((unsigned __int128)__fp_any_u64() << 64) | __fp_any_u64());
}
unsigned __int128 __VERIFIER_nondet_uint128(void) {
    return ((unsigned __int128)__fp_any_u64() << 64) | __fp_any_u64();
}
unsigned long __VERIFIER_nondet_size_t(void) { return __fp_any_u64(); }
unsigned long __VERIFIER_nondet_sizet(void) { return __fp_any_u64(); }
long __VERIFIER_nondet_loff_t(void) { return (long)__fp_any_u64(); }
unsigned int __VERIFIER_nondet_unsigned_int(void) { return __fp_any_u32(); }

void __CPROVER_assume(_Bool condition) { __fp_assume(condition); }
void __CPROVER_assert(_Bool condition, const char *description) {
    (void)description;
    __fp_assert(condition, "__CPROVER_assert");
}
void __CPROVER_atomic_begin(void) { __fp_atomic_begin(); }
void __CPROVER_atomic_end(void) { __fp_atomic_end(); }

/* glibc's names for what assert() calls when it fails, as they stand in preprocessed programs. */
_Noreturn void __assert_fail(const char *text, const char *file, unsigned int line,
                             const char *function) {
    (void)text, (void)file, (void)line, (void)function;
    __fp_trap("assertion failed");
}
