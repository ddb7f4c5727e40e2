/* What Nidhugg waits for in one step: a load or an exchange of which only executions count in which
   what is read fulfils a condition. Programs declare these functions themselves. A condition is a set
   of outcomes of the comparison with the operand: 1 greater, 2 equal, 4 less; 8 makes it signed. */
#pragma once

static inline _Bool __fp_awaited(unsigned long is_less, unsigned long is_equal, int condition) {
    return is_equal ? (condition & 2) != 0 : is_less ? (condition & 4) != 0 : (condition & 1) != 0;
}

#define __FP_AWAITED(value, operand, condition, number, natural)                                   \
    __fp_awaited((condition) & 8 ? (number)(value) < (number)(operand)                             \
                                 : (natural)(value) < (natural)(operand),                          \
                 (natural)(value) == (natural)(operand), (condition))

#define __FP_LOAD_AWAIT(object, condition, operand, type, number, natural)                         \
    type value;                                                                                    \
    __fp_atomic {                                                                                  \
        value = __atomic_load_n(object, __ATOMIC_SEQ_CST);                                         \
        __fp_assume(__FP_AWAITED(value, operand, condition, number, natural));                     \
    }                                                                                              \
    return value;

#define __FP_XCHG_AWAIT(object, fresh, condition, operand, type, number, natural)                  \
    type value;                                                                                    \
    __fp_atomic {                                                                                  \
        value = __atomic_exchange_n(object, fresh, __ATOMIC_SEQ_CST);                              \
        __fp_assume(__FP_AWAITED(value, operand, condition, number, natural));                     \
    }                                                                                              \
    return value;

static inline int __VERIFIER_load_await_aint(_Atomic(int) *object, int condition, int operand) {
    __FP_LOAD_AWAIT(object, condition, operand, int, int, unsigned int)
}

static inline int __VERIFIER_xchg_await_aint(_Atomic(int) *object, int fresh, int condition, int operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, int, int, unsigned int)
}

static inline unsigned int __VERIFIER_load_await_auint(_Atomic(unsigned int) *object, int condition, unsigned int operand) {
    __FP_LOAD_AWAIT(object, condition, operand, unsigned int, int, unsigned int)
}

static inline unsigned int __VERIFIER_xchg_await_auint(_Atomic(unsigned int) *object, unsigned int fresh, int condition, unsigned int operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, unsigned int, int, unsigned int)
}

static inline long __VERIFIER_load_await_along(_Atomic(long) *object, int condition, long operand) {
    __FP_LOAD_AWAIT(object, condition, operand, long, long, unsigned long)
}

static inline long __VERIFIER_xchg_await_along(_Atomic(long) *object, long fresh, int condition, long operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, long, long, unsigned long)
}

static inline unsigned long __VERIFIER_load_await_aulong(_Atomic(unsigned long) *object, int condition, unsigned long operand) {
    __FP_LOAD_AWAIT(object, condition, operand, unsigned long, long, unsigned long)
}

static inline unsigned long __VERIFIER_xchg_await_aulong(_Atomic(unsigned long) *object, unsigned long fresh, int condition, unsigned long operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, unsigned long, long, unsigned long)
}

static inline signed char __VERIFIER_load_await_i8(signed char *object, int condition, signed char operand) {
    __FP_LOAD_AWAIT(object, condition, operand, signed char, signed char, unsigned char)
}

static inline signed char __VERIFIER_xchg_await_i8(signed char *object, signed char fresh, int condition, signed char operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, signed char, signed char, unsigned char)
}

static inline short __VERIFIER_load_await_i16(short *object, int condition, short operand) {
    __FP_LOAD_AWAIT(object, condition, operand, short, short, unsigned short)
}

static inline short __VERIFIER_xchg_await_i16(short *object, short fresh, int condition, short operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, short, short, unsigned short)
}

static inline int __VERIFIER_load_await_i32(int *object, int condition, int operand) {
    __FP_LOAD_AWAIT(object, condition, operand, int, int, unsigned int)
}

static inline int __VERIFIER_xchg_await_i32(int *object, int fresh, int condition, int operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, int, int, unsigned int)
}

static inline long __VERIFIER_load_await_i64(long *object, int condition, long operand) {
    __FP_LOAD_AWAIT(object, condition, operand, long, long, unsigned long)
}

static inline long __VERIFIER_xchg_await_i64(long *object, long fresh, int condition, long operand) {
    __FP_XCHG_AWAIT(object, fresh, condition, operand, long, long, unsigned long)
}
