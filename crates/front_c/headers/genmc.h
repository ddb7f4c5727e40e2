/* <genmc.h>: the names that programs written for GenMC use, by what its manual says they mean.

   Marks that only help a tool to explore less (which writes are local or final, which
   compare-and-swaps help, where a loop spins) have no meaning here: their operand is evaluated.
   Its built-in hazard pointers (__VERIFIER_hp_*) and persistent memory are not offered. */
#pragma once

#include <stddef.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);

typedef unsigned long __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*start)(void *), void *argument) {
    return __fp_spawn(start, argument);
}

static inline __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*start)(void *),
                                                            void *argument,
                                                            __VERIFIER_thread_t other) {
    (void)other;
    return __fp_spawn(start, argument);
}

static inline void *__VERIFIER_join(__VERIFIER_thread_t thread) {
    return __fp_join(thread);
}

static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) {
    __fp_join(thread);
}

#define __VERIFIER_local_write(statement) do { statement; } while (0)
#define __VERIFIER_final_write(statement) do { statement; } while (0)
#define __VERIFIER_helped_CAS(statement) do { statement; } while (0)
#define __VERIFIER_helping_CAS(statement) do { statement; } while (0)
#define __VERIFIER_speculative_read(value) ({ value; })
#define __VERIFIER_confirming_read(value) ({ value; })
#define __VERIFIER_confirming_CAS(value) ({ value; })
#define __VERIFIER_final_CAS(value) ({ value; })

/* Code that may be left out without any effect on what is checked: it is left out. */
#define __VERIFIER_optional(statement) do { } while (0)
