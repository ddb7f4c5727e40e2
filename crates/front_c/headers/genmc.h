/* <genmc.h>: the names that programs written for GenMC use, by what its manual says they mean.

   Marks that only help a tool to explore less (which writes are local or final, which
   compare-and-swaps help, where a loop spins) have no meaning here: their operand is evaluated.
   A hazard pointer protects what it holds: a block that is retired is freed at once unless one of them
   holds it, and not at all otherwise. Persistent memory is not offered.

   Soundness S-304 (run, check, verify; all; misses, cries wolf): A block that is retired while a
   hazard pointer holds it is never freed: it is reported as a leak, and accesses to it after it is
   no longer held are not. Test: corpus/real/hazard_pointers.c. */
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

#define __FP_MOST_HAZARDS 16

typedef struct {
    void *__fp_held;
} __VERIFIER_hp_t;

static __VERIFIER_hp_t *__fp_hazards[__FP_MOST_HAZARDS];
static unsigned int __fp_hazard_count;

static inline __VERIFIER_hp_t *__VERIFIER_hp_alloc(void) {
    __VERIFIER_hp_t *hp = __fp_alloc(sizeof *hp, 16, 1);
    __fp_atomic {
        __fp_supported(__fp_hazard_count < __FP_MOST_HAZARDS, "at most 16 hazard pointers");
        __fp_hazards[__fp_hazard_count++] = hp;
    }
    return hp;
}

static inline void *__fp_hazard_protect(__VERIFIER_hp_t *hp, void **from) {
    void *held;
    do {
        held = __atomic_load_n(from, __ATOMIC_ACQUIRE);
        __atomic_store_n(&hp->__fp_held, held, __ATOMIC_SEQ_CST);
    } while (__atomic_load_n(from, __ATOMIC_SEQ_CST) != held);
    return held;
}
#define __VERIFIER_hp_protect(hp, from) __fp_hazard_protect((hp), (void **)(from))

static inline void __VERIFIER_hp_clear(__VERIFIER_hp_t *hp) {
    __atomic_store_n(&hp->__fp_held, NULL, __ATOMIC_RELEASE);
}

static inline void __VERIFIER_hp_free(__VERIFIER_hp_t *hp) {
    __fp_atomic {
        for (unsigned int i = 0; i < __fp_hazard_count; i++)
            if (__fp_hazards[i] == hp) __fp_hazards[i] = __fp_hazards[--__fp_hazard_count];
    }
    __fp_free(hp);
}

static inline void __VERIFIER_hp_retire(void *block) {
    _Bool is_held = 0;
    __fp_atomic {
        for (unsigned int i = 0; i < __fp_hazard_count; i++)
            if (__atomic_load_n(&__fp_hazards[i]->__fp_held, __ATOMIC_SEQ_CST) == block) is_held = 1;
    }
    if (!is_held) __fp_free(block);
}
