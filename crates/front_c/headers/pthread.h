/* <pthread.h>: POSIX threads, written over atomic sections.

   Waiting: an assumption that fails inside an atomic section undoes the section and makes the
   thread wait until it can hold. So a lock is one read-modify-write whose old value must be
   "free", and a program in which everybody waits is a deadlock.

   Ordering: taking acquires and giving releases, by the orders of the accesses inside, so that
   the same text is right under a weak memory model. Creating and joining order by themselves.

   Misuse that POSIX leaves undefined (unlocking what is not held, using what was destroyed,
   initialising what is in use, awaiting oneself) is a finding. What it defines is returned: EPERM, EDEADLK and EBUSY as the mutex type says.

   Timeouts: how long a thread waits is how long the scheduler leaves it alone, so a timed wait
   looks once, whenever it is scheduled: every outcome is covered and none is a false deadlock.

   Wakeups: pthread_cond_signal wakes any one of the threads that wait, pthread_cond_broadcast
   all of them, and a wait ends for no other reason, so that a lost wakeup shows as a deadlock.
   With -DFP_SPURIOUS_WAKEUPS a wait may also end at once, as POSIX permits.

   Cancellation is not offered. */
#pragma once

#include <fencepost/thread_attributes.h>
#include <errno.h>
#include <sched.h>
#include <time.h>

#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_KEYS_MAX 32
#define PTHREAD_DESTRUCTOR_ITERATIONS 4

/* ---- threads ---- */

/* Handles count from one, and main comes first. */
#define __FP_MAIN_THREAD 1

/* ---- thread-specific data and cleanup ---- */

typedef unsigned int pthread_key_t;

/* A key that was deleted is not given again: its values are still in the threads. */
struct __fp_key {
    int used;
    void (*destructor)(void *);
};

struct __fp_cleanup {
    void (*routine)(void *);
    void *argument;
    struct __fp_cleanup *outer;
};

static struct __fp_key __fp_keys[PTHREAD_KEYS_MAX];
static pthread_key_t __fp_keys_made;
static _Thread_local void *__fp_specific[PTHREAD_KEYS_MAX];
/* The keys from this one on have never had a value in the thread. */
static _Thread_local pthread_key_t __fp_specific_end;
static _Thread_local int __fp_started_with_destructors;
static _Thread_local struct __fp_cleanup *__fp_cleanups;

static inline void __fp_run_destructors(void) {
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        int ran = 0;
        for (pthread_key_t key = 0; key < __fp_specific_end; key++) {
            void *value = __fp_specific[key];
            if (!value) continue;
            void (*destructor)(void *) = __fp_atomic_load(&__fp_keys[key].destructor, "once");
            if (!destructor) continue;
            __fp_specific[key] = (void *)0;
            destructor(value);
            ran = 1;
        }
        if (!ran) break;
    }
}

/* Where the program makes a key with a destructor (__fp_has_destructors), threads are started
   through a function that runs destructors when the thread's own function returns. */
static inline void *__fp_start_with_destructors(void *(*function)(void *), void *argument) {
    __fp_started_with_destructors = 1;
    void *result = function(argument);
    __fp_run_destructors();
    return result;
}

static inline __attribute__((__fp_role("makes-key"))) int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    __fp_supported(__fp_atomic_load(&__fp_keys_made, "once") < PTHREAD_KEYS_MAX, "more than 32 keys");
    pthread_key_t made = __fp_atomic_fetch_add(&__fp_keys_made, 1, "relaxed");
    __fp_supported(made < PTHREAD_KEYS_MAX, "more than 32 keys");
    __fp_atomic_store(&__fp_keys[made].destructor, destructor, "once");
    __fp_atomic_store(&__fp_keys[made].used, 1, "release");
    *key = made;
    return 0;
}

static inline _Bool __fp_is_key(pthread_key_t key) {
    return key < PTHREAD_KEYS_MAX && __fp_atomic_load(&__fp_keys[key].used, "once");
}

static inline int pthread_key_delete(pthread_key_t key) {
    if (!__fp_is_key(key)) return EINVAL;
    __fp_atomic_store(&__fp_keys[key].destructor, (void (*)(void *))0, "once");
    __fp_atomic_store(&__fp_keys[key].used, 0, "release");
    return 0;
}

static inline void *pthread_getspecific(pthread_key_t key) {
    return key < PTHREAD_KEYS_MAX ? __fp_specific[key] : (void *)0;
}

static inline int pthread_setspecific(pthread_key_t key, const void *value) {
    if (!__fp_is_key(key)) return EINVAL;
    __fp_supported(!__fp_atomic_load(&__fp_keys[key].destructor, "once")
                    || __fp_started_with_destructors || __fp_self() == __FP_MAIN_THREAD,
                "a destructor of a key that is made through a pointer");
    __fp_specific[key] = (void *)value;
    if (key >= __fp_specific_end) __fp_specific_end = key + 1;
    return 0;
}

#define pthread_cleanup_push(function, value)                                         \
    do {                                                                              \
        struct __fp_cleanup __fp_this_cleanup = { (function), (value), __fp_cleanups }; \
        __fp_cleanups = &__fp_this_cleanup;

#define pthread_cleanup_pop(execute)                                              \
        __fp_cleanups = __fp_this_cleanup.outer;                                  \
        if (execute) __fp_this_cleanup.routine(__fp_this_cleanup.argument);       \
    } while (0)

/* ---- create, join, end ---- */

static inline int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                                 void *(*start)(void *), void *argument) {
    if (__fp_has_destructors())
        *thread = __fp_spawn(__fp_start_with_destructors, start, argument);
    else
        *thread = __fp_spawn(start, argument);
    if (attr && attr->__fp_detached) __fp_detach(*thread);
    return 0;
}

static inline int pthread_join(pthread_t thread, void **result) {
    if (thread == __fp_self()) {
        __fp_require(0, "a thread does not await itself");
        return EDEADLK;
    }
    void *value = __fp_join(thread);
    if (result) *result = value;
    return 0;
}

static inline int pthread_detach(pthread_t thread) {
    __fp_detach(thread);
    return 0;
}

static inline pthread_t pthread_self(void) {
    return __fp_self();
}

static inline int pthread_equal(pthread_t left, pthread_t right) {
    return left == right;
}

static inline __attribute__((__fp_role("ends-thread"))) _Noreturn void pthread_exit(void *result) {
    while (__fp_cleanups) {
        struct __fp_cleanup *top = __fp_cleanups;
        __fp_cleanups = top->outer;
        top->routine(top->argument);
    }
    if (__fp_has_destructors()) __fp_run_destructors();
    __fp_thread_exit(result);
}

static inline int pthread_yield(void) {
    __fp_yield();
    return 0;
}

int pthread_cancel(pthread_t thread); /* refused where it is called */

/* Nobody can be cancelled, so it makes no difference whether a thread lets itself be. */
static inline int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    if (old) *old = PTHREAD_CANCEL_ENABLE;
    return 0;
}

static inline int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    if (old) *old = PTHREAD_CANCEL_DEFERRED;
    return 0;
}

static inline void pthread_testcancel(void) {
}

/* What only one process uses may as well be shared between processes. */
static inline int __fp_set_shared(int shared) {
    return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}

static inline int __fp_get_shared(int *shared) {
    *shared = PTHREAD_PROCESS_PRIVATE;
    return 0;
}

/* ---- mutexes ---- */

#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define __FP_DESTROYED (-1)

typedef struct {
    int __fp_type;
} pthread_mutexattr_t;

/* The owner is 0 while the mutex is free, otherwise the holder's handle, which is not 0. The type
   is where glibc has it, for static initialisers in files that were preprocessed with glibc.

   Reductions rest on what the attributes say. Of a lock word: that it is zero if and only if the
   lock is free; of an owner, that it changes from 0 by read-modify-writes that find 0, and back by
   stores after reads, in the same call, that find the caller's own handle. Of a function that
   recognises its own handle only: that it does the same, goes wrong or waits, whether another
   thread holds the lock or none. */
typedef struct {
    unsigned long __fp_owner __attribute__((__fp_lock_word("owner")));
    int __fp_depth;
    _Alignas(8) int __fp_type;
} pthread_mutex_t;

#define PTHREAD_MUTEX_INITIALIZER { 0, 0, PTHREAD_MUTEX_NORMAL }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { 0, 0, PTHREAD_MUTEX_RECURSIVE }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { 0, 0, PTHREAD_MUTEX_ERRORCHECK }
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER

static inline int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    attr->__fp_type = PTHREAD_MUTEX_DEFAULT;
    return 0;
}

static inline int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
    attr->__fp_type = __FP_DESTROYED;
    return 0;
}

static inline int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
    if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ERRORCHECK) return EINVAL;
    attr->__fp_type = type;
    return 0;
}

static inline int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *type) {
    *type = attr->__fp_type;
    return 0;
}

static inline int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
    (void)attr;
    return protocol == PTHREAD_PRIO_NONE || protocol == PTHREAD_PRIO_INHERIT ? 0 : ENOTSUP;
}

static inline int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
    (void)attr;
    return robust == PTHREAD_MUTEX_STALLED ? 0 : ENOTSUP;
}

static inline int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol) {
    (void)attr;
    *protocol = PTHREAD_PRIO_NONE;
    return 0;
}

static inline int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
    (void)attr, (void)ceiling;
    return 0;
}

static inline int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
    (void)attr;
    *robust = PTHREAD_MUTEX_STALLED;
    return 0;
}

static inline int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) {
    (void)attr;
    return __fp_set_shared(shared);
}

static inline int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *shared) {
    (void)attr;
    return __fp_get_shared(shared);
}

/* Whether this is a mutex that a thread holds; it may be any memory. */
static inline _Bool __fp_is_held(pthread_mutex_t *mutex) {
    unsigned long owner = __atomic_load_n(&mutex->__fp_owner, __ATOMIC_RELAXED);
    if (__fp_defined_or_zero(owner) == 0) return 0;
    unsigned long type = __fp_defined_or_zero((unsigned int)mutex->__fp_type + 1U);
    return type != 0 && type <= PTHREAD_MUTEX_ERRORCHECK + 1;
}

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    __fp_require(!__fp_is_held(mutex), "an initialised mutex was not locked before");
    __atomic_store_n(&mutex->__fp_owner, 0UL, __ATOMIC_RELAXED);
    mutex->__fp_type = attr ? attr->__fp_type : PTHREAD_MUTEX_DEFAULT;
    mutex->__fp_depth = 0;
    return 0;
}

__attribute__((__fp_own_holder_only))
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    __fp_require(mutex->__fp_type != __FP_DESTROYED, "a mutex is destroyed once");
    __fp_require(__atomic_load_n(&mutex->__fp_owner, __ATOMIC_RELAXED) == 0,
                "a destroyed mutex is not locked");
    mutex->__fp_type = __FP_DESTROYED;
    return 0;
}

__attribute__((__fp_own_holder_only))
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    unsigned long me = __fp_self();
    int type = mutex->__fp_type;
    __fp_require(type != __FP_DESTROYED, "a locked mutex was not destroyed before");
    if (type != PTHREAD_MUTEX_NORMAL
        && __atomic_load_n(&mutex->__fp_owner, __ATOMIC_RELAXED) == me) {
        if (type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
        mutex->__fp_depth++;
        return 0;
    }
    __fp_atomic {
        __fp_assume(__atomic_exchange_n(&mutex->__fp_owner, me, __ATOMIC_ACQUIRE) == 0);
    }
    return 0;
}

static inline int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    unsigned long me = __fp_self();
    unsigned long holder = 0;
    int type = mutex->__fp_type;
    __fp_require(type != __FP_DESTROYED, "a locked mutex was not destroyed before");
    if (type == PTHREAD_MUTEX_RECURSIVE
        && __atomic_load_n(&mutex->__fp_owner, __ATOMIC_RELAXED) == me) {
        mutex->__fp_depth++;
        return 0;
    }
    if (!__atomic_compare_exchange_n(&mutex->__fp_owner, &holder, me, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return EBUSY;
    return 0;
}

__attribute__((__fp_own_holder_only))
static inline int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
    (void)deadline;
    if (mutex->__fp_type == PTHREAD_MUTEX_ERRORCHECK
        && __atomic_load_n(&mutex->__fp_owner, __ATOMIC_RELAXED) == __fp_self())
        return EDEADLK;
    __fp_yield();
    return pthread_mutex_trylock(mutex) == 0 ? 0 : ETIMEDOUT;
}

static inline int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                          const struct timespec *deadline) {
    (void)clock;
    return pthread_mutex_timedlock(mutex, deadline);
}

__attribute__((__fp_own_holder_only))
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    _Bool mine = __atomic_load_n(&mutex->__fp_owner, __ATOMIC_RELAXED) == __fp_self();
    int type = mutex->__fp_type;
    __fp_require(type != __FP_DESTROYED, "an unlocked mutex was not destroyed before");
    if (type == PTHREAD_MUTEX_NORMAL)
        __fp_require(mine, "a mutex is unlocked by the thread that holds it");
    else if (!mine)
        return EPERM;
    if (type == PTHREAD_MUTEX_RECURSIVE && mutex->__fp_depth > 0)
        mutex->__fp_depth--;
    else
        __atomic_store_n(&mutex->__fp_owner, 0UL, __ATOMIC_RELEASE);
    return 0;
}

/* ---- spinlocks ---- */

typedef struct {
    unsigned int __fp_owner __attribute__((__fp_lock_word("owner")));
} pthread_spinlock_t;

static inline int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    (void)shared;
    __atomic_store_n(&lock->__fp_owner, 0U, __ATOMIC_RELAXED);
    return 0;
}

__attribute__((__fp_own_holder_only))
static inline int pthread_spin_destroy(pthread_spinlock_t *lock) {
    __fp_require(__atomic_load_n(&lock->__fp_owner, __ATOMIC_RELAXED) == 0,
                "a destroyed spinlock is not locked");
    return 0;
}

__attribute__((__fp_own_holder_only))
static inline int pthread_spin_lock(pthread_spinlock_t *lock) {
    unsigned int me = (unsigned int)__fp_self();
    __fp_atomic {
        __fp_assume(__atomic_exchange_n(&lock->__fp_owner, me, __ATOMIC_ACQUIRE) == 0);
    }
    return 0;
}

static inline int pthread_spin_trylock(pthread_spinlock_t *lock) {
    unsigned int me = (unsigned int)__fp_self();
    unsigned int holder = 0;
    if (!__atomic_compare_exchange_n(&lock->__fp_owner, &holder, me, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return EBUSY;
    return 0;
}

__attribute__((__fp_own_holder_only))
static inline int pthread_spin_unlock(pthread_spinlock_t *lock) {
    __fp_require(__atomic_load_n(&lock->__fp_owner, __ATOMIC_RELAXED) == (unsigned int)__fp_self(),
                "a spinlock is unlocked by the thread that holds it");
    __atomic_store_n(&lock->__fp_owner, 0U, __ATOMIC_RELEASE);
    return 0;
}

static inline int __fp_spin_is_locked(pthread_spinlock_t *lock) {
    return __atomic_load_n(&lock->__fp_owner, __ATOMIC_RELAXED) != 0;
}

/* ---- readers and writers ---- */

typedef struct {
    int __fp_unused;
} pthread_rwlockattr_t;

/* The state is the number of readers, or -1 while a writer holds the lock. It changes by
   read-modify-writes, so a writer acquires what every reader before it released. */
typedef struct {
    int __fp_state __attribute__((__fp_lock_word("count")));
    unsigned long __fp_writer;
} pthread_rwlock_t;

#define PTHREAD_RWLOCK_INITIALIZER { 0, 0 }
#define __FP_NO_RWLOCK (~0UL) /* in the place of the writer of one that was destroyed */
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP PTHREAD_RWLOCK_INITIALIZER
#define PTHREAD_RWLOCK_PREFER_READER_NP 0
#define PTHREAD_RWLOCK_PREFER_WRITER_NP 1
#define PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP 2

static inline int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
    attr->__fp_unused = 0;
    return 0;
}

static inline int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) {
    (void)attr;
    return 0;
}

static inline int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared) {
    (void)attr;
    return __fp_set_shared(shared);
}

static inline int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *shared) {
    (void)attr;
    return __fp_get_shared(shared);
}

/* Whoever is preferred, every order in which they come is looked at. */
static inline int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) {
    attr->__fp_unused = kind;
    return 0;
}

static inline int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *kind) {
    *kind = attr->__fp_unused;
    return 0;
}

static inline int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr) {
    (void)attr;
    __atomic_store_n(&lock->__fp_state, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&lock->__fp_writer, 0UL, __ATOMIC_RELAXED);
    return 0;
}

/* Whether the caller holds the lock for writing. */
static inline _Bool __fp_is_writer(pthread_rwlock_t *lock) {
    unsigned long writer = __atomic_load_n(&lock->__fp_writer, __ATOMIC_RELAXED);
    __fp_require(writer != __FP_NO_RWLOCK, "a used rwlock was not destroyed before");
    return writer == __fp_self();
}

static inline int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    __fp_is_writer(lock);
    __fp_require(__atomic_load_n(&lock->__fp_state, __ATOMIC_RELAXED) == 0,
                "a destroyed rwlock is not locked");
    __atomic_store_n(&lock->__fp_writer, __FP_NO_RWLOCK, __ATOMIC_RELAXED);
    return 0;
}

static inline int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (__fp_is_writer(lock)) return EDEADLK;
    __fp_atomic {
        __fp_assume(__atomic_fetch_add(&lock->__fp_state, 1, __ATOMIC_ACQUIRE) >= 0);
    }
    return 0;
}

static inline int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    int state;
    if (__fp_is_writer(lock)) return EBUSY;
    do {
        state = __atomic_load_n(&lock->__fp_state, __ATOMIC_RELAXED);
        if (state < 0) return EBUSY;
    } while (!__atomic_compare_exchange_n(&lock->__fp_state, &state, state + 1, 0,
                                          __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
    return 0;
}

static inline int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (__fp_is_writer(lock)) return EDEADLK;
    __fp_atomic {
        __fp_assume(__atomic_exchange_n(&lock->__fp_state, -1, __ATOMIC_ACQUIRE) == 0);
    }
    __atomic_store_n(&lock->__fp_writer, __fp_self(), __ATOMIC_RELAXED);
    return 0;
}

static inline int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    int state = 0;
    if (__fp_is_writer(lock)) return EBUSY;
    if (!__atomic_compare_exchange_n(&lock->__fp_state, &state, -1, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return EBUSY;
    __atomic_store_n(&lock->__fp_writer, __fp_self(), __ATOMIC_RELAXED);
    return 0;
}

static inline int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock,
                                             const struct timespec *deadline) {
    (void)deadline;
    __fp_yield();
    return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : ETIMEDOUT;
}

static inline int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock,
                                             const struct timespec *deadline) {
    (void)deadline;
    __fp_yield();
    return pthread_rwlock_trywrlock(lock) == 0 ? 0 : ETIMEDOUT;
}

static inline int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                             const struct timespec *deadline) {
    (void)clock;
    return pthread_rwlock_timedrdlock(lock, deadline);
}

static inline int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                             const struct timespec *deadline) {
    (void)clock;
    return pthread_rwlock_timedwrlock(lock, deadline);
}

static inline int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    if (__fp_is_writer(lock)) {
        __atomic_store_n(&lock->__fp_writer, 0UL, __ATOMIC_RELAXED);
        __atomic_store_n(&lock->__fp_state, 0, __ATOMIC_RELEASE);
    } else {
        int readers = __atomic_fetch_sub(&lock->__fp_state, 1, __ATOMIC_RELEASE);
        __fp_require(readers > 0, "an rwlock is unlocked by a thread that holds it");
    }
    return 0;
}

/* ---- condition variables ---- */

typedef struct {
    int __fp_unused;
} pthread_condattr_t;

/* One bit for each of the first 32 threads: in the lower half it waits, in the upper half it was
   woken and has not noticed yet. */
typedef struct {
    unsigned long __fp_waiters;
    _Bool __fp_destroyed;
} pthread_cond_t;

#define __FP_WAITING 0xffffffffUL
#define PTHREAD_COND_INITIALIZER { 0 }

static inline int pthread_condattr_init(pthread_condattr_t *attr) {
    attr->__fp_unused = 0;
    return 0;
}

static inline int pthread_condattr_destroy(pthread_condattr_t *attr) {
    (void)attr;
    return 0;
}

static inline int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) {
    (void)attr, (void)clock;
    return 0;
}

static inline int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock) {
    (void)attr;
    *clock = CLOCK_REALTIME;
    return 0;
}

static inline int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared) {
    (void)attr;
    return __fp_set_shared(shared);
}

static inline int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *shared) {
    (void)attr;
    return __fp_get_shared(shared);
}

static inline int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
    (void)attr;
    __atomic_store_n(&cond->__fp_waiters, 0UL, __ATOMIC_RELAXED);
    __atomic_store_n(&cond->__fp_destroyed, 0, __ATOMIC_RELAXED);
    return 0;
}

static inline void __fp_use_cond(pthread_cond_t *cond) {
    __fp_require(!__atomic_load_n(&cond->__fp_destroyed, __ATOMIC_RELAXED),
                "a used condition variable was not destroyed before");
}

/* Who was woken may still have to notice. As POSIX wants the memory to be free for other uses from
   then on, this waits for them; they need nothing that the caller could hold. */
static inline int pthread_cond_destroy(pthread_cond_t *cond) {
    __fp_use_cond(cond);
    __fp_atomic {
        unsigned long left = __atomic_load_n(&cond->__fp_waiters, __ATOMIC_ACQUIRE);
        __fp_require((left & __FP_WAITING) == 0, "nobody waits for a destroyed condition variable");
        __fp_assume(left == 0);
    }
    __atomic_store_n(&cond->__fp_destroyed, 1, __ATOMIC_RELAXED);
    return 0;
}

/* Starts to wait and gives the mutex back; the result is the waiter's bit. Whoever signals from
   then on finds the waiter, so this is as good as one step. */
__attribute__((__fp_own_holder_only))
static inline unsigned long __fp_cond_start(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    unsigned long me = __fp_self();
    __fp_supported(me <= 32, "a thread after the 32nd waits for a condition");
    __fp_require(__atomic_load_n(&mutex->__fp_owner, __ATOMIC_RELAXED) == me,
                "a thread that waits for a condition holds the mutex");
    unsigned long bit = 1UL << (me - 1);
    __fp_use_cond(cond);
    __atomic_fetch_or(&cond->__fp_waiters, bit, __ATOMIC_RELAXED);
    __atomic_store_n(&mutex->__fp_owner, 0UL, __ATOMIC_RELEASE);
    return bit;
}

/* A recursive mutex is given back whole. */
static inline int __fp_give_up_depth(pthread_mutex_t *mutex) {
    if (mutex->__fp_type != PTHREAD_MUTEX_RECURSIVE) return 0;
    int depth = mutex->__fp_depth;
    mutex->__fp_depth = 0;
    return depth;
}

static inline int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    int depth = __fp_give_up_depth(mutex);
    unsigned long bit = __fp_cond_start(cond, mutex);
#ifdef FP_SPURIOUS_WAKEUPS
    _Bool spurious = __fp_choose(0, 1);
#else
    _Bool spurious = 0;
#endif
    __fp_atomic {
        unsigned long old = __atomic_fetch_and(&cond->__fp_waiters, ~(bit | bit << 32),
                                               __ATOMIC_RELEASE);
        __fp_assume(spurious || (old & bit << 32));
    }
    pthread_mutex_lock(mutex);
    if (depth) mutex->__fp_depth = depth;
    return 0;
}

static inline int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                         const struct timespec *deadline) {
    (void)deadline;
    int depth = __fp_give_up_depth(mutex);
    unsigned long bit = __fp_cond_start(cond, mutex);
    __fp_yield();
    unsigned long old =
        __atomic_fetch_and(&cond->__fp_waiters, ~(bit | bit << 32), __ATOMIC_RELEASE);
    pthread_mutex_lock(mutex);
    if (depth) mutex->__fp_depth = depth;
    return old & bit << 32 ? 0 : ETIMEDOUT;
}

static inline int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                         clockid_t clock, const struct timespec *deadline) {
    (void)clock;
    return pthread_cond_timedwait(cond, mutex, deadline);
}

/* Which of several waiters is woken is chosen beforehand, so that a second attempt is like the
   first. */
static inline int pthread_cond_signal(pthread_cond_t *cond) {
    __fp_use_cond(cond);
    unsigned long old, bit;
    unsigned long preferred = 1UL << __fp_choose(0, 31);
    do {
        old = __atomic_load_n(&cond->__fp_waiters, __ATOMIC_RELAXED);
        unsigned long waiting = old & __FP_WAITING;
        if (!waiting) return 0;
        bit = waiting & preferred ? preferred : waiting & -waiting;
    } while (!__atomic_compare_exchange_n(&cond->__fp_waiters, &old, (old & ~bit) | bit << 32, 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *cond) {
    __fp_use_cond(cond);
    unsigned long old;
    do {
        old = __atomic_load_n(&cond->__fp_waiters, __ATOMIC_RELAXED);
    } while (!__atomic_compare_exchange_n(&cond->__fp_waiters, &old, (old | old << 32) & ~__FP_WAITING,
                                          0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return 0;
}

/* ---- barriers ---- */

typedef struct {
    int __fp_unused;
} pthread_barrierattr_t;

/* Those whose round is complete still have to notice when the first of them may already destroy the
   barrier and use its memory for something else. So what they look at is elsewhere, and is not used
   for another barrier. */
struct __fp_meeting {
    unsigned int __fp_parties;
    unsigned int __fp_arrived;
};

#define __FP_MEETINGS_MAX 128

static struct __fp_meeting __fp_meetings[__FP_MEETINGS_MAX];
static unsigned int __fp_meetings_used;

typedef struct {
    struct __fp_meeting *__fp_meeting;
} pthread_barrier_t;

static inline int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
    attr->__fp_unused = 0;
    return 0;
}

static inline int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
    (void)attr;
    return 0;
}

static inline int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) {
    (void)attr;
    return __fp_set_shared(shared);
}

static inline int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *shared) {
    (void)attr;
    return __fp_get_shared(shared);
}

static inline int pthread_barrier_init(pthread_barrier_t *barrier,
                                       const pthread_barrierattr_t *attr, unsigned int count) {
    (void)attr;
    if (count == 0) return EINVAL;
    __fp_require(__fp_defined_or_zero((unsigned long)barrier->__fp_meeting) == 0,
                "a barrier that is initialised again was destroyed before");
    unsigned int place = __atomic_fetch_add(&__fp_meetings_used, 1U, __ATOMIC_RELAXED);
    __fp_supported(place < __FP_MEETINGS_MAX, "more than 128 barriers");
    __fp_meetings[place].__fp_parties = count;
    barrier->__fp_meeting = &__fp_meetings[place];
    return 0;
}

static inline struct __fp_meeting *__fp_meeting_of(pthread_barrier_t *barrier) {
    struct __fp_meeting *meeting = barrier->__fp_meeting;
    __fp_require(meeting, "a used barrier was initialised and not destroyed before");
    return meeting;
}

static inline int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    struct __fp_meeting *meeting = __fp_meeting_of(barrier);
    __fp_require(__atomic_load_n(&meeting->__fp_arrived, __ATOMIC_RELAXED) % meeting->__fp_parties
                    == 0,
                "nobody waits at a destroyed barrier");
    barrier->__fp_meeting = (struct __fp_meeting *)0;
    return 0;
}

/* Who comes looks how many were there and waits until those came that its round still misses. Rounds
   may end in any order where more threads use a barrier than meet at it. */
static inline int pthread_barrier_wait(pthread_barrier_t *barrier) {
    struct __fp_meeting *meeting = __fp_meeting_of(barrier);
    unsigned int parties = meeting->__fp_parties;
    unsigned int before = __atomic_fetch_add(&meeting->__fp_arrived, 1U, __ATOMIC_ACQ_REL);
    unsigned int missing = parties - before % parties;
    if (missing == 1) return PTHREAD_BARRIER_SERIAL_THREAD;
    __fp_atomic {
        __fp_assume(__atomic_load_n(&meeting->__fp_arrived, __ATOMIC_ACQUIRE) - before >= missing);
    }
    return 0;
}

/* ---- once ---- */

/* 0: nobody came yet; 1: somebody runs the function; 2: done. */
typedef struct {
    int __fp_stage;
} pthread_once_t;

#define PTHREAD_ONCE_INIT { 0 }

static inline int pthread_once(pthread_once_t *once, void (*function)(void)) {
    int stage = 0;
    if (__atomic_compare_exchange_n(&once->__fp_stage, &stage, 1, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE)) {
        function();
        __atomic_store_n(&once->__fp_stage, 2, __ATOMIC_RELEASE);
    } else if (stage == 1) {
        __fp_atomic {
            __fp_assume(__atomic_load_n(&once->__fp_stage, __ATOMIC_ACQUIRE) == 2);
        }
    }
    return 0;
}

/* Soundness S-039 (run, check, verify; all; misses): A wait does not end without a wakeup unless
   `-DFP_SPURIOUS_WAKEUPS` is given, and `mtx_trylock` does not fail without a reason, as C11
   allows. Test:
   crates/fencepost/tests/headers.rs::a_wait_ends_only_by_a_wakeup_unless_spurious_ones_are_asked_for. */

/* Soundness S-040 (run, check, verify; all; refuses): Only the first 32 threads may wait for a
   condition, and a program may have 128 barriers, 32 thread-specific keys (deleted ones
   included) and eight named semaphores; past that, what is not violated is `? cut`. Test:
   corpus/verify/approximations/too_many_keys.c. */

/* Soundness S-041 (run, check, verify; all; refuses): Destructors of thread-specific keys run
   for keys made by calling `pthread_key_create` or `tss_create` by name; where a value of a key
   made through a pointer is set, what is not violated is `? cut`. Test:
   corpus/verify/styles/keys_destructor.c, corpus/verify/threads/key_made_in_thread.c. */

/* Soundness S-042 (run, check, verify; all; cries wolf): Misuse is recognised by what the memory
   holds before an initialisation: memory that held something else and looks like a mutex that is
   held, or like a barrier, is taken for one. Test:
   corpus/verify/pthreads/mutex_initialised_in_used_memory.c,
   corpus/verify/pthreads/mutex_initialised_while_held.c. */

/* Soundness S-043 (run, check, verify; all; misses): Not found: initialising objects other than
   mutexes and barriers again while they are in use, use of a destroyed spinlock, a rwlock that
   is released by a thread without it while another thread reads, waits for one condition
   variable with several mutexes, joining a detached thread, and detaching what is not a thread
   or no longer one. Test:
   corpus/verify/approximations/joins_a_detached_thread.c. */

/* Soundness S-044 (run, check, verify; all; cries wolf): Waiting for a condition with a mutex
   that the caller does not hold is a finding for error-checking mutexes too, where POSIX gives
   EPERM. Test:
   crates/fencepost/tests/headers.rs::waiting_for_a_condition_without_the_mutex_is_found. */

/* Soundness S-045 (run, check, verify; all; refuses): Calls that cancel a thread, handle signals
   or jump (`setjmp`) are refused; robust and priority mutexes give ENOTSUP. Test:
   corpus/bad/unsupported-cancel.c, corpus/bad/unsupported-signal.c,
   corpus/bad/unsupported-setjmp.c. */
