/* <sched.h>: yielding is advice to the scheduler; affinity has no meaning and is accepted. */
#pragma once

#include <sys/types.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5

struct sched_param {
    int sched_priority;
};

static inline int sched_get_priority_min(int policy) {
    return policy == SCHED_OTHER ? 0 : 1;
}

static inline int sched_get_priority_max(int policy) {
    return policy == SCHED_OTHER ? 0 : 99;
}

static inline int sched_yield(void) {
    __fp_yield();
    return 0;
}

typedef struct {
    unsigned long __fp_bits;
} cpu_set_t;

#define CPU_SETSIZE 64
#define CPU_ZERO(set) ((void)((set)->__fp_bits = 0))
#define CPU_SET(cpu, set) ((void)((set)->__fp_bits |= 1UL << (cpu)))
#define CPU_CLR(cpu, set) ((void)((set)->__fp_bits &= ~(1UL << (cpu))))
#define CPU_ISSET(cpu, set) ((int)((set)->__fp_bits >> (cpu) & 1))

#define CPU_COUNT(set) __builtin_popcountl((set)->__fp_bits)
#define CPU_EQUAL(left, right) ((left)->__fp_bits == (right)->__fp_bits)

static inline int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
    (void)pid, (void)size, (void)set;
    return 0;
}

static inline int sched_getcpu(void) {
    return 0;
}

static inline int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
    (void)pid, (void)size;
    set->__fp_bits = 3;
    return 0;
}

static inline int sched_setscheduler(pid_t pid, int policy, const struct sched_param *parameters) {
    (void)pid, (void)policy, (void)parameters;
    return 0;
}

static inline int sched_getscheduler(pid_t pid) {
    (void)pid;
    return SCHED_OTHER;
}

static inline int sched_setparam(pid_t pid, const struct sched_param *parameters) {
    (void)pid, (void)parameters;
    return 0;
}

static inline int sched_getparam(pid_t pid, struct sched_param *parameters) {
    (void)pid;
    parameters->sched_priority = 0;
    return 0;
}
