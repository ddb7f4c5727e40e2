/* ---- mutexes ---- */

/* Acquiring is a read-modify-write, and releasing a store with release order, which may wait in the
   buffer: a thread may go on before others see that the mutex is free. */
typedef struct { unsigned holder; } weak_mutex;

static inline int weak_mutex_lock(weak_mutex *mutex) {
@WAITS    weak_begin();
@WAITS    weak_drain();
@WAITS@TSO    weak_flush();
@WAITS@PSO    weak_flush_before(&mutex->holder);
@WAITS    weak_await(weak_memory(&mutex->holder, sizeof mutex->holder) == 0);
@WAITS    weak_set_memory(&mutex->holder, sizeof mutex->holder, (weak_bits)weak_self + 1);
@WAITS    weak_end();
@SPINS    for (;;) {
@SPINS        int is_free;
@SPINS        weak_begin();
@SPINS        weak_drain();
@SPINS@TSO        weak_flush();
@SPINS@PSO        weak_flush_before(&mutex->holder);
@SPINS        is_free = mutex->holder == 0;
@SPINS        if (is_free) mutex->holder = (unsigned)weak_self + 1;
@SPINS        weak_end();
@SPINS        if (is_free) break;
@SPINS        sched_yield();
@SPINS    }
    return 0;
}

static inline int weak_mutex_trylock(weak_mutex *mutex) {
    weak_bits holder = weak_begin_update(&mutex->holder, sizeof mutex->holder, __ATOMIC_ACQUIRE);
    if (holder != 0) {
        weak_fail_update(__ATOMIC_ACQUIRE);
        return 16; /* EBUSY */
    }
    weak_end_update(&mutex->holder, sizeof mutex->holder, (weak_bits)weak_self + 1, __ATOMIC_ACQUIRE);
    return 0;
}

static inline int weak_mutex_unlock(weak_mutex *mutex) {
    assert(weak_read(&mutex->holder, sizeof mutex->holder) == (weak_bits)weak_self + 1);
    weak_write(&mutex->holder, sizeof mutex->holder, 0, __ATOMIC_RELEASE);
    return 0;
}

/* Only mutexes without attributes are modelled. */
static inline int weak_mutex_init(weak_mutex *mutex, const void *attributes) {
    if (attributes) weak_inconclusive();
    weak_write(&mutex->holder, sizeof mutex->holder, 0, __ATOMIC_RELAXED);
    return 0;
}

static inline int weak_mutex_destroy(weak_mutex *mutex) {
    (void)mutex;
    return 0;
}

#define pthread_mutex_t weak_mutex
#undef PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_MUTEX_INITIALIZER { 0 }
#define pthread_mutex_init weak_mutex_init
#define pthread_mutex_destroy weak_mutex_destroy
#define pthread_mutex_lock weak_mutex_lock
#define pthread_mutex_trylock weak_mutex_trylock
#define pthread_mutex_unlock weak_mutex_unlock
