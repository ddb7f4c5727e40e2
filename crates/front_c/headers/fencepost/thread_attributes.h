/* The part of <pthread.h> about attributes of threads. Every schedule is looked at, so that sizes, policies
   and priorities have no meaning. */
#pragma once

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_STACK_MIN 16384

typedef struct {
    int __fp_detached;
    size_t __fp_stack;
} pthread_attr_t;

static inline int pthread_attr_init(pthread_attr_t *attr) {
    attr->__fp_detached = PTHREAD_CREATE_JOINABLE;
    attr->__fp_stack = 8388608;
    return 0;
}

static inline int pthread_attr_destroy(pthread_attr_t *attr) {
    (void)attr;
    return 0;
}

static inline int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
    attr->__fp_detached = state;
    return 0;
}

static inline int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
    *state = attr->__fp_detached;
    return 0;
}

static inline int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
    if (size < PTHREAD_STACK_MIN) return EINVAL;
    attr->__fp_stack = size;
    return 0;
}

static inline int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
    *size = attr->__fp_stack;
    return 0;
}

static inline int pthread_attr_setscope(pthread_attr_t *attr, int scope) {
    (void)attr;
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : ENOTSUP;
}

static inline int pthread_attr_getscope(const pthread_attr_t *attr, int *scope) {
    (void)attr;
    *scope = PTHREAD_SCOPE_SYSTEM;
    return 0;
}

static inline int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
    (void)attr;
    *size = 4096;
    return 0;
}

static inline int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
    (void)attr, (void)size;
    return 0;
}

static inline int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit) {
    (void)attr;
    return inherit == PTHREAD_INHERIT_SCHED || inherit == PTHREAD_EXPLICIT_SCHED ? 0 : EINVAL;
}

/* Every schedule is looked at, so a policy or a priority rules none out. */
static inline int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) {
    (void)attr, (void)policy;
    return 0;
}

static inline int pthread_attr_setschedparam(pthread_attr_t *attr,
                                             const struct sched_param *parameters) {
    (void)attr, (void)parameters;
    return 0;
}

static inline int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit) {
    (void)attr;
    *inherit = PTHREAD_INHERIT_SCHED;
    return 0;
}

static inline int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy) {
    (void)attr;
    *policy = SCHED_OTHER;
    return 0;
}

static inline int pthread_attr_getschedparam(const pthread_attr_t *attr,
                                             struct sched_param *parameters) {
    (void)attr;
    parameters->sched_priority = 0;
    return 0;
}

typedef unsigned long pthread_t;

static inline int pthread_setname_np(pthread_t thread, const char *name) {
    (void)thread, (void)name;
    return 0;
}

static inline int pthread_setschedparam(pthread_t thread, int policy,
                                        const struct sched_param *parameters) {
    (void)thread, (void)policy, (void)parameters;
    return 0;
}

static inline int pthread_getschedparam(pthread_t thread, int *policy,
                                        struct sched_param *parameters) {
    (void)thread;
    *policy = SCHED_OTHER;
    parameters->sched_priority = 0;
    return 0;
}

static inline int pthread_setschedprio(pthread_t thread, int priority) {
    (void)thread, (void)priority;
    return 0;
}

static inline int pthread_getname_np(pthread_t thread, char *name, size_t size) {
    (void)thread;
    if (size == 0) return ERANGE;
    name[0] = '\0';
    return 0;
}

static inline int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr) {
    (void)thread;
    return pthread_attr_init(attr);
}

static inline int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    (void)thread;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

/* Nobody forks. */
static inline int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
    (void)before, (void)parent, (void)child;
    return 0;
}

static inline int pthread_getconcurrency(void) {
    return 0;
}

static inline int pthread_setconcurrency(int level) {
    return level < 0 ? EINVAL : 0;
}

static inline int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
    (void)thread, (void)size, (void)set;
    return 0;
}

static inline int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
    (void)thread;
    return sched_getaffinity(0, size, set);
}
