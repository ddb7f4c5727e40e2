/* <stdatomic.h>: C11 7.17, complete. The generic functions are macros over builtins that know
   the type of the object, so they work on every atomic type up to 16 bytes. A memory order
   must be a constant expression, because it decides what the access is. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum memory_order {
    memory_order_relaxed = 0,
    memory_order_consume = 1,
    memory_order_acquire = 2,
    memory_order_release = 3,
    memory_order_acq_rel = 4,
    memory_order_seq_cst = 5
} memory_order;

/* Everything up to a pointer's size is lock-free. */
#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_CHAR16_T_LOCK_FREE 2
#define ATOMIC_CHAR32_T_LOCK_FREE 2
#define ATOMIC_WCHAR_T_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
#define atomic_is_lock_free(object) ((_Bool)(sizeof(*(object)) <= 8))

typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(unsigned short) atomic_char16_t;
typedef _Atomic(unsigned int) atomic_char32_t;
typedef _Atomic(wchar_t) atomic_wchar_t;
typedef _Atomic(int_least8_t) atomic_int_least8_t;
typedef _Atomic(uint_least8_t) atomic_uint_least8_t;
typedef _Atomic(int_least16_t) atomic_int_least16_t;
typedef _Atomic(uint_least16_t) atomic_uint_least16_t;
typedef _Atomic(int_least32_t) atomic_int_least32_t;
typedef _Atomic(uint_least32_t) atomic_uint_least32_t;
typedef _Atomic(int_least64_t) atomic_int_least64_t;
typedef _Atomic(uint_least64_t) atomic_uint_least64_t;
typedef _Atomic(int_fast8_t) atomic_int_fast8_t;
typedef _Atomic(uint_fast8_t) atomic_uint_fast8_t;
typedef _Atomic(int_fast16_t) atomic_int_fast16_t;
typedef _Atomic(uint_fast16_t) atomic_uint_fast16_t;
typedef _Atomic(int_fast32_t) atomic_int_fast32_t;
typedef _Atomic(uint_fast32_t) atomic_uint_fast32_t;
typedef _Atomic(int_fast64_t) atomic_int_fast64_t;
typedef _Atomic(uint_fast64_t) atomic_uint_fast64_t;
typedef _Atomic(intptr_t) atomic_intptr_t;
typedef _Atomic(uintptr_t) atomic_uintptr_t;
typedef _Atomic(size_t) atomic_size_t;
typedef _Atomic(ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(intmax_t) atomic_intmax_t;
typedef _Atomic(uintmax_t) atomic_uintmax_t;

/* C11 lets initialisation race; as a relaxed store it is at least never torn. */
#define ATOMIC_VAR_INIT(value) (value)
#define atomic_init(object, value) __fp_atomic_store((object), (value), memory_order_relaxed)

#define kill_dependency(value) (value)
#define atomic_thread_fence(order) __atomic_thread_fence(order)
#define atomic_signal_fence(order) __atomic_signal_fence(order)

#define atomic_load_explicit(object, order) __fp_atomic_load((object), (order))
#define atomic_load(object) __fp_atomic_load((object), memory_order_seq_cst)
#define atomic_store_explicit(object, value, order) __fp_atomic_store((object), (value), (order))
#define atomic_store(object, value) __fp_atomic_store((object), (value), memory_order_seq_cst)
#define atomic_exchange_explicit(object, value, order) \
    __fp_atomic_exchange((object), (value), (order))
#define atomic_exchange(object, value) \
    __fp_atomic_exchange((object), (value), memory_order_seq_cst)

#define atomic_compare_exchange_strong_explicit(object, expected, desired, success, failure) \
    __fp_atomic_cas((object), (expected), (desired), 0, (success), (failure))
#define atomic_compare_exchange_strong(object, expected, desired) \
    __fp_atomic_cas((object), (expected), (desired), 0, memory_order_seq_cst, memory_order_seq_cst)
#define atomic_compare_exchange_weak_explicit(object, expected, desired, success, failure) \
    __fp_atomic_cas((object), (expected), (desired), 1, (success), (failure))
#define atomic_compare_exchange_weak(object, expected, desired) \
    __fp_atomic_cas((object), (expected), (desired), 1, memory_order_seq_cst, memory_order_seq_cst)

#define atomic_fetch_add_explicit(object, value, order) \
    __fp_atomic_fetch_add((object), (value), (order))
#define atomic_fetch_add(object, value) \
    __fp_atomic_fetch_add((object), (value), memory_order_seq_cst)
#define atomic_fetch_sub_explicit(object, value, order) \
    __fp_atomic_fetch_sub((object), (value), (order))
#define atomic_fetch_sub(object, value) \
    __fp_atomic_fetch_sub((object), (value), memory_order_seq_cst)
#define atomic_fetch_or_explicit(object, value, order) \
    __fp_atomic_fetch_or((object), (value), (order))
#define atomic_fetch_or(object, value) \
    __fp_atomic_fetch_or((object), (value), memory_order_seq_cst)
#define atomic_fetch_xor_explicit(object, value, order) \
    __fp_atomic_fetch_xor((object), (value), (order))
#define atomic_fetch_xor(object, value) \
    __fp_atomic_fetch_xor((object), (value), memory_order_seq_cst)
#define atomic_fetch_and_explicit(object, value, order) \
    __fp_atomic_fetch_and((object), (value), (order))
#define atomic_fetch_and(object, value) \
    __fp_atomic_fetch_and((object), (value), memory_order_seq_cst)

typedef struct atomic_flag {
    atomic_bool __fp_set;
} atomic_flag;

#define ATOMIC_FLAG_INIT { 0 }
#define atomic_flag_test_and_set_explicit(flag, order) \
    __fp_atomic_exchange(&(flag)->__fp_set, (_Bool)1, (order))
#define atomic_flag_test_and_set(flag) \
    __fp_atomic_exchange(&(flag)->__fp_set, (_Bool)1, memory_order_seq_cst)
#define atomic_flag_clear_explicit(flag, order) \
    __fp_atomic_store(&(flag)->__fp_set, (_Bool)0, (order))
#define atomic_flag_clear(flag) \
    __fp_atomic_store(&(flag)->__fp_set, (_Bool)0, memory_order_seq_cst)
