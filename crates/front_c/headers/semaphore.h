/* <semaphore.h>: POSIX unnamed semaphores, written over atomic sections as <pthread.h> is. */
#pragma once

#include <errno.h>
#include <time.h>

#define SEM_VALUE_MAX 2147483647

typedef struct {
    int __fp_value;
} sem_t;

static inline int sem_init(sem_t *sem, int shared, unsigned int value) {
    (void)shared;
    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return -1;
    }
    __atomic_store_n(&sem->__fp_value, (int)value, __ATOMIC_RELAXED);
    return 0;
}

static inline int sem_destroy(sem_t *sem) {
    (void)sem;
    return 0;
}

static inline int sem_wait(sem_t *sem) {
    __fp_atomic {
        __fp_assume(__atomic_fetch_sub(&sem->__fp_value, 1, __ATOMIC_ACQUIRE) > 0);
    }
    return 0;
}

static inline int __fp_sem_try(sem_t *sem, int failure) {
    _Bool taken = 0;
    __fp_atomic {
        if (__atomic_load_n(&sem->__fp_value, __ATOMIC_RELAXED) > 0) {
            __atomic_fetch_sub(&sem->__fp_value, 1, __ATOMIC_ACQUIRE);
            taken = 1;
        }
    }
    if (taken) return 0;
    errno = failure;
    return -1;
}

static inline int sem_trywait(sem_t *sem) {
    return __fp_sem_try(sem, EAGAIN);
}

static inline int sem_timedwait(sem_t *sem, const struct timespec *deadline) {
    (void)deadline;
    __fp_yield();
    return __fp_sem_try(sem, ETIMEDOUT);
}

static inline int sem_post(sem_t *sem) {
    if (__atomic_load_n(&sem->__fp_value, __ATOMIC_RELAXED) == SEM_VALUE_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    __atomic_fetch_add(&sem->__fp_value, 1, __ATOMIC_RELEASE);
    return 0;
}

static inline int sem_getvalue(sem_t *sem, int *value) {
    *value = __atomic_load_n(&sem->__fp_value, __ATOMIC_RELAXED);
    return 0;
}
