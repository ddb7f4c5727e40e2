/* The functions through which Dartagnan's <lkmm.h> names the accesses and fences of the Linux kernel.
   Programs that bring that header declare these functions themselves, with an enumeration of the
   orders whose first one, __FP_LKMM_ONCE, differs from edition to edition. */
#pragma once

#include <pthread.h>

/* Without a known edition nothing is guessed. */
#ifndef __FP_LKMM_ONCE
#define __FP_LKMM_ONCE 1000
#endif

#define __FP_LKMM_IS(order, number) ((order) - __FP_LKMM_ONCE == (number))
#define __FP_LKMM_IS_ACQUIRE(order) __FP_LKMM_IS(order, 1)
#define __FP_LKMM_IS_RELEASE(order) __FP_LKMM_IS(order, 2)
#define __FP_LKMM_IS_FULL(order) __FP_LKMM_IS(order, 3)

/* An access of one of the four widths. */
#define __FP_LKMM_WIDE(size, access)                                                               \
    __fp_supported(__FP_LKMM_ONCE < 2, "an enumeration with __LKMM_once or memory_order_once");    \
    switch (size) {                                                                                \
    case 1: access(signed char)                                                                    \
    case 2: access(short)                                                                          \
    case 4: access(int)                                                                            \
    case 8: access(long)                                                                           \
    default: __fp_supported(0, "an access of 1, 2, 4 or 8 bytes");                                 \
    }

/* A read-modify-write in the order that is asked for. */
#define __FP_LKMM_UPDATE(type, name, ...)                                                          \
    if (__FP_LKMM_IS_FULL(order)) return (long)name((type *)object, __VA_ARGS__, "full");          \
    if (__FP_LKMM_IS_ACQUIRE(order)) return (long)name((type *)object, __VA_ARGS__, "acquire");    \
    if (__FP_LKMM_IS_RELEASE(order)) return (long)name((type *)object, __VA_ARGS__, "release");    \
    return (long)name((type *)object, __VA_ARGS__, "relaxed");

static inline long __LKMM_load(const volatile void *object, unsigned long size, int order) {
#define __FP_LKMM_ACCESS(type)                                                                     \
    if (__FP_LKMM_IS_ACQUIRE(order)) return (long)__fp_atomic_load((type *)object, "acquire");     \
    return (long)__fp_atomic_load((type *)object, "once");
    __FP_LKMM_WIDE(size, __FP_LKMM_ACCESS)
#undef __FP_LKMM_ACCESS
    return 0;
}

static inline void __LKMM_store(volatile void *object, unsigned long size, long value, int order) {
#define __FP_LKMM_ACCESS(type)                                                                     \
    if (__FP_LKMM_IS_RELEASE(order)) __fp_atomic_store((type *)object, (type)value, "release");    \
    else __fp_atomic_store((type *)object, (type)value, "once");                                   \
    return;
    __FP_LKMM_WIDE(size, __FP_LKMM_ACCESS)
#undef __FP_LKMM_ACCESS
}

static inline long __LKMM_xchg(volatile void *object, unsigned long size, long value, int order) {
#define __FP_LKMM_ACCESS(type) __FP_LKMM_UPDATE(type, __fp_atomic_exchange, (type)value)
    __FP_LKMM_WIDE(size, __FP_LKMM_ACCESS)
#undef __FP_LKMM_ACCESS
    return 0;
}

static inline long __LKMM_cmpxchg(volatile void *object, unsigned long size, long old, long fresh, int order, int failure) {
    (void)failure; /* one that fails orders nothing */
#define __FP_LKMM_ACCESS(type) __FP_LKMM_UPDATE(type, __fp_atomic_cmpxchg, (type)old, (type)fresh)
    __FP_LKMM_WIDE(size, __FP_LKMM_ACCESS)
#undef __FP_LKMM_ACCESS
    return 0;
}

static inline void __LKMM_atomic_op(volatile void *object, unsigned long size, long value, int operation) {
#define __FP_LKMM_ACCESS(type)                                                                     \
    if (operation == 0) __fp_atomic_fetch_add((type *)object, (type)value, "noreturn");            \
    else if (operation == 1) __fp_atomic_fetch_sub((type *)object, (type)value, "noreturn");       \
    else if (operation == 2) __fp_atomic_fetch_and((type *)object, (type)value, "noreturn");       \
    else __fp_atomic_fetch_or((type *)object, (type)value, "noreturn");                            \
    return;
    __FP_LKMM_WIDE(size, __FP_LKMM_ACCESS)
#undef __FP_LKMM_ACCESS
}

static inline long __LKMM_atomic_fetch_op(volatile void *object, unsigned long size, long value, int order, int operation) {
#define __FP_LKMM_ACCESS(type)                                                                     \
    if (operation == 0) { __FP_LKMM_UPDATE(type, __fp_atomic_fetch_add, (type)value) }             \
    if (operation == 1) { __FP_LKMM_UPDATE(type, __fp_atomic_fetch_sub, (type)value) }             \
    if (operation == 2) { __FP_LKMM_UPDATE(type, __fp_atomic_fetch_and, (type)value) }             \
    __FP_LKMM_UPDATE(type, __fp_atomic_fetch_or, (type)value)
    __FP_LKMM_WIDE(size, __FP_LKMM_ACCESS)
#undef __FP_LKMM_ACCESS
    return 0;
}

static inline long __LKMM_atomic_op_return(volatile void *object, unsigned long size, long value, int order, int operation) {
    long found = __LKMM_atomic_fetch_op(object, size, value, order, operation);
    return operation == 0 ? found + value : operation == 1 ? found - value : operation == 2 ? (found & value) : (found | value);
}

static inline void __LKMM_fence(int order) {
    switch (order - __FP_LKMM_ONCE) {
    case 3: __fp_fence("mb"); break;
    case 4: __fp_fence("wmb"); break;
    case 5: __fp_fence("rmb"); break;
    case 6: __fp_fence("rcu-begin"); break;
    case 7: __fp_fence("rcu-end"); break;
    case 8: __fp_fence("sync-rcu"); break;
    case 9: __fp_fence("before-atomic"); break;
    case 10: __fp_fence("after-atomic"); break;
    case 11: __fp_fence("after-spinlock"); break;
    case 12: break; /* a compiler barrier */
    default: __fp_supported(0, "a fence of the Linux kernel that is known");
    }
}

/* The first edition has these names, and integers only. */
static inline int __LKMM_LOAD(int *object, int order) {
    return (int)__LKMM_load(object, 4, order);
}

static inline void __LKMM_STORE(int *object, int value, int order) {
    __LKMM_store(object, 4, value, order);
}

static inline void __LKMM_FENCE(int order) {
    __LKMM_fence(order);
}

static inline int __LKMM_XCHG(int *object, int value, int order) {
    return (int)__LKMM_xchg(object, 4, value, order);
}

static inline int __LKMM_CMPXCHG(int *object, int old, int fresh, int order, int failure) {
    return (int)__LKMM_cmpxchg(object, 4, old, fresh, order, failure);
}

static inline void __LKMM_ATOMIC_OP(int *object, int value, int operation) {
    __LKMM_atomic_op(object, 4, value, operation);
}

static inline int __LKMM_ATOMIC_FETCH_OP(int *object, int value, int order, int operation) {
    return (int)__LKMM_atomic_fetch_op(object, 4, value, order, operation);
}

static inline int __LKMM_ATOMIC_OP_RETURN(int *object, int value, int order, int operation) {
    return (int)__LKMM_atomic_op_return(object, 4, value, order, operation);
}

static inline int __LKMM_SPIN_LOCK(void *lock) {
    return pthread_spin_lock((pthread_spinlock_t *)lock);
}

static inline int __LKMM_SPIN_UNLOCK(void *lock) {
    return pthread_spin_unlock((pthread_spinlock_t *)lock);
}

#undef __FP_LKMM_UPDATE
#undef __FP_LKMM_WIDE

/* Soundness S-330 (verify; all; refuses): `__LKMM_fence` of Dartagnan's <lkmm.h> may be a fence of
   RCU, whatever its argument is, so programs that were preprocessed with that header are verified on
   `lkmm` only. Test: corpus/real/kernel_calls.c. */
