/* SV-COMP's functions, declared by the program and defined nowhere. */
extern int printf(const char *, ...);
extern void abort(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

/* This one is the program's own. */
void __VERIFIER_assert(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

int main(void) {
    int fixed = __VERIFIER_nondet_int() * 0 + 5;
    _Bool flag = __VERIFIER_nondet_bool();
    __VERIFIER_assume(fixed == 5);
    __VERIFIER_atomic_begin();
    fixed++;
    __VERIFIER_atomic_end();
    __VERIFIER_assert(fixed == 6);
    __VERIFIER_assert(flag == 0 || flag == 1);
    __VERIFIER_assert(__VERIFIER_nondet_uchar() < 256);
    __VERIFIER_assert(sizeof(__VERIFIER_nondet_ulong()) == 8);
    printf("%d\n", fixed);
    return 0;
}
