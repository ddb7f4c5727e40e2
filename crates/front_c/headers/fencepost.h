/* <fencepost.h>: what a program can say to Fencepost.

   Intrinsics (always there):
     fp_assert(condition)            it is a finding if the condition is false
     fp_assume(condition)            look only at executions in which the condition holds;
                                     inside an atomic section: wait until it holds
     fp_choose(low, high)            any int from low to high
     fp_any_u8() ... fp_any_u64()    any value of that width
     fp_observe(label, value)        the client of the data type sees this value
     fp_commit(label)                the operation takes effect here (commit-point method)
     fp_operation_begin(name, ...)   an operation of the data type starts, with its arguments
     fp_operation_end() or (result)  it ends
     fp_atomic { ... }               an atomic section
     fp_atomic_begin(), fp_atomic_end()
     fp_fence("load-load")           and load-store, store-load, store-store, several joined by
                                     "|", "full", or an architecture's name such as "lwsync"
     fp_yield()                      advice: this thread waits for others
     fp_malloc(size), fp_free(block); fp_bytes(pointer, n): n bytes for a native function (--native)

   The dialect of the papers (`fence`, `atomic`, `cas`, `lock` …) is in <checkfence.h>, which is
   also included here if FENCEPOST_DIALECT is defined before. */
#pragma once

#include <stddef.h>

#define fp_assert(condition) __fp_assert((condition), #condition)
#define fp_assume(condition) __fp_assume(condition)
#define fp_choose(low, high) __fp_choose((low), (high))
#define fp_any_u8() __fp_any_u8()
#define fp_any_u16() __fp_any_u16()
#define fp_any_u32() __fp_any_u32()
#define fp_any_u64() __fp_any_u64()
#define fp_observe(label, value) __fp_observe(label, (value))
#define fp_commit(label) __fp_commit(label)
#define fp_operation_begin(...) __fp_op_begin(__VA_ARGS__)
#define fp_operation_end(...) __fp_op_end(__VA_ARGS__)
#define fp_atomic __fp_atomic
#define fp_atomic_begin() __fp_atomic_begin()
#define fp_atomic_end() __fp_atomic_end()
#define fp_fence(kind) __fp_fence(kind)
#define fp_yield() __fp_yield()
#define fp_malloc(size) __fp_alloc((size), 16, 0)
#define fp_free(block) __fp_free(block)
#define fp_bytes(pointer, n) __fp_bytes((pointer), (n))

#ifdef FENCEPOST_DIALECT
#include <checkfence.h>
#endif
