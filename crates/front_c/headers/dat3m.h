/* <dat3m.h>: the names that programs written for Dartagnan use. */
#pragma once

int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void __VERIFIER_loop_bound(int);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);

static inline unsigned int __VERIFIER_tid(void) {
    return (unsigned int)__fp_self() - 1;
}

#define await_while(condition) while (condition)
#define await_do(body) do body
#define while_await(condition) while (condition)
