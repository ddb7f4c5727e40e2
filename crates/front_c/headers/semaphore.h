/* <semaphore.h>: POSIX semaphores, written over atomic sections as <pthread.h> is. Those with names
   are seen by one process only, of which there can be eight at a time. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
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

/* The value of one that was destroyed. */
enum { __fp_no_semaphore = -1 };

static inline int sem_destroy(sem_t *sem) {
    __fp_require(__atomic_load_n(&sem->__fp_value, __ATOMIC_RELAXED) != __fp_no_semaphore,
                "a semaphore is destroyed once");
    __atomic_store_n(&sem->__fp_value, __fp_no_semaphore, __ATOMIC_RELAXED);
    return 0;
}

static inline int sem_wait(sem_t *sem) {
    __fp_atomic {
        int before = __atomic_fetch_sub(&sem->__fp_value, 1, __ATOMIC_ACQUIRE);
        __fp_require(before != __fp_no_semaphore, "a used semaphore was not destroyed before");
        __fp_assume(before > 0);
    }
    return 0;
}

static inline int __fp_sem_try(sem_t *sem, int failure) {
    int value = __atomic_load_n(&sem->__fp_value, __ATOMIC_RELAXED);
    do {
        __fp_require(value != __fp_no_semaphore, "a used semaphore was not destroyed before");
        if (value <= 0) {
            errno = failure;
            return -1;
        }
    } while (!__atomic_compare_exchange_n(&sem->__fp_value, &value, value - 1, 0,
                                          __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
    return 0;
}

static inline int sem_trywait(sem_t *sem) {
    return __fp_sem_try(sem, EAGAIN);
}

static inline int sem_timedwait(sem_t *sem, const struct timespec *deadline) {
    (void)deadline;
    __fp_yield();
    return __fp_sem_try(sem, ETIMEDOUT);
}

static inline int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *deadline) {
    (void)clock;
    return sem_timedwait(sem, deadline);
}

static inline int sem_post(sem_t *sem) {
    int before = __atomic_load_n(&sem->__fp_value, __ATOMIC_RELAXED);
    __fp_require(before != __fp_no_semaphore, "a used semaphore was not destroyed before");
    if (before == SEM_VALUE_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    __atomic_fetch_add(&sem->__fp_value, 1, __ATOMIC_RELEASE);
    return 0;
}

static inline int sem_getvalue(sem_t *sem, int *value) {
    *value = __atomic_load_n(&sem->__fp_value, __ATOMIC_RELAXED);
    __fp_require(*value != __fp_no_semaphore, "a used semaphore was not destroyed before");
    return 0;
}

#define SEM_FAILED ((sem_t *)0)

static struct {
    sem_t semaphore;
    char name[32];
    _Bool used;
} __fp_named_semaphores[8];

/* Who looks at the names, one after the other. */
static int __fp_names_busy;

static inline void __fp_take_names(void) {
    __fp_atomic {
        __fp_assume(__atomic_exchange_n(&__fp_names_busy, 1, __ATOMIC_ACQUIRE) == 0);
    }
}

static inline void __fp_give_names(void) {
    __atomic_store_n(&__fp_names_busy, 0, __ATOMIC_RELEASE);
}

static inline int __fp_named_semaphore(const char *name) {
    for (int i = 0; i < 8; i++)
        if (__fp_named_semaphores[i].used && strcmp(__fp_named_semaphores[i].name, name) == 0)
            return i;
    return -1;
}

static inline sem_t *sem_open(const char *name, int flags, ...) {
    int error = 0, found;
    unsigned int value = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        (void)va_arg(rest, int);
        value = va_arg(rest, unsigned int);
        va_end(rest);
    }
    __fp_take_names();
    found = __fp_named_semaphore(name);
    if (found >= 0 && (flags & O_CREAT) && (flags & O_EXCL)) error = EEXIST;
    if (found < 0 && !(flags & O_CREAT)) error = ENOENT;
    if (found < 0 && !error && value > SEM_VALUE_MAX) error = EINVAL;
    __fp_supported(strlen(name) < 32, "a name of a semaphore with more than 31 characters");
    if (found < 0 && !error) {
        for (found = 0; found < 8 && __fp_named_semaphores[found].used; found++) {}
        __fp_supported(found < 8, "more than 8 named semaphores");
    }
    if (!error && !__fp_named_semaphores[found].used) {
        __fp_named_semaphores[found].used = 1;
        strcpy(__fp_named_semaphores[found].name, name);
        __atomic_store_n(&__fp_named_semaphores[found].semaphore.__fp_value, (int)value,
                         __ATOMIC_RELAXED);
    }
    __fp_give_names();
    if (error) {
        errno = error;
        return SEM_FAILED;
    }
    return &__fp_named_semaphores[found].semaphore;
}

static inline int sem_close(sem_t *sem) {
    (void)sem;
    return 0;
}

/* Whoever has opened it may go on to use it; its place is not given to another one. */
static inline int sem_unlink(const char *name) {
    __fp_take_names();
    int found = __fp_named_semaphore(name);
    if (found >= 0) __fp_named_semaphores[found].name[0] = 0;
    __fp_give_names();
    if (found >= 0) return 0;
    errno = ENOENT;
    return -1;
}
