/* <sched.h>: yielding is advice to the scheduler; affinity has no meaning and is accepted. */
#pragma once

#include <sys/types.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2

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

static inline int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
    (void)pid, (void)size, (void)set;
    return 0;
}

static inline int sched_getcpu(void) {
    return 0;
}
