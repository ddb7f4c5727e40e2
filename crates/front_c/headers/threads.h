/* <threads.h>: C11 7.26, over <pthread.h>, which says how waiting, timeouts and misuse work. */
#pragma once

#include <pthread.h>

#define thread_local _Thread_local
#define ONCE_FLAG_INIT PTHREAD_ONCE_INIT
#define TSS_DTOR_ITERATIONS PTHREAD_DESTRUCTOR_ITERATIONS

typedef pthread_t thrd_t;
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_key_t tss_t;
typedef pthread_once_t once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

static inline int __fp_thrd_status(int error) {
    switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
    }
}

/* ---- threads ---- */

/* A C11 thread gives an int where a POSIX thread gives a pointer. */
static inline void *__fp_thrd_run(thrd_start_t function, void *argument) {
    __fp_started_with_destructors = 1;
    long result = function(argument);
    __fp_run_destructors();
    return (void *)result;
}

/* Without destructors the function is started itself: some that programs convert to thrd_start_t
   give nothing, which is no harm where nobody asks for it. */
static inline int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    if (__fp_has_destructors())
        *thread = __fp_spawn(__fp_thrd_run, start, argument);
    else
        *thread = __fp_spawn((void *(*)(void *))start, argument);
    return thrd_success;
}

static inline int thrd_join(thrd_t thread, int *result) {
    if (thread == __fp_self()) {
        __fp_require(0, "a thread does not await itself");
        return thrd_error;
    }
    long value = (long)__fp_join(thread);
    if (result) *result = (int)value;
    return thrd_success;
}

static inline int thrd_detach(thrd_t thread) {
    return __fp_thrd_status(pthread_detach(thread));
}

static inline thrd_t thrd_current(void) {
    return __fp_self();
}

static inline int thrd_equal(thrd_t left, thrd_t right) {
    return left == right;
}

static inline __attribute__((__fp_role("ends-thread"))) _Noreturn void thrd_exit(int result) {
    pthread_exit((void *)(long)result);
}

static inline void thrd_yield(void) {
    __fp_yield();
}

static inline int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
    return nanosleep(duration, remaining);
}

/* ---- mutexes ---- */

static inline int mtx_init(mtx_t *mutex, int type) {
    pthread_mutexattr_t attr;
    if (type & ~(mtx_recursive | mtx_timed)) return thrd_error;
    pthread_mutexattr_init(&attr);
    if (type & mtx_recursive) pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    return __fp_thrd_status(pthread_mutex_init(mutex, &attr));
}

static inline void mtx_destroy(mtx_t *mutex) {
    pthread_mutex_destroy(mutex);
}

static inline int mtx_lock(mtx_t *mutex) {
    return __fp_thrd_status(pthread_mutex_lock(mutex));
}

static inline int mtx_trylock(mtx_t *mutex) {
    return __fp_thrd_status(pthread_mutex_trylock(mutex));
}

static inline int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    return __fp_thrd_status(pthread_mutex_timedlock(mutex, deadline));
}

static inline int mtx_unlock(mtx_t *mutex) {
    return __fp_thrd_status(pthread_mutex_unlock(mutex));
}

/* ---- condition variables ---- */

static inline int cnd_init(cnd_t *cond) {
    return __fp_thrd_status(pthread_cond_init(cond, (pthread_condattr_t *)0));
}

static inline void cnd_destroy(cnd_t *cond) {
    pthread_cond_destroy(cond);
}

static inline int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    return __fp_thrd_status(pthread_cond_wait(cond, mutex));
}

static inline int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
                                const struct timespec *restrict deadline) {
    return __fp_thrd_status(pthread_cond_timedwait(cond, mutex, deadline));
}

static inline int cnd_signal(cnd_t *cond) {
    return __fp_thrd_status(pthread_cond_signal(cond));
}

static inline int cnd_broadcast(cnd_t *cond) {
    return __fp_thrd_status(pthread_cond_broadcast(cond));
}

/* ---- thread-specific storage and once ---- */

static inline __attribute__((__fp_role("makes-key"))) int tss_create(tss_t *key, tss_dtor_t destructor) {
    return __fp_thrd_status(pthread_key_create(key, destructor));
}

static inline void tss_delete(tss_t key) {
    pthread_key_delete(key);
}

static inline void *tss_get(tss_t key) {
    return pthread_getspecific(key);
}

static inline int tss_set(tss_t key, void *value) {
    return __fp_thrd_status(pthread_setspecific(key, value));
}

static inline void call_once(once_flag *once, void (*function)(void)) {
    pthread_once(once, function);
}
