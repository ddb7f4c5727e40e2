/* <time.h>: as much time as a schedule has. Every reading of a clock is one millisecond after
   the one before, in whatever thread, so that deadlines can be computed; sleeping is yielding. */
#pragma once

#include <sys/types.h>

#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
#define CLOCKS_PER_SEC 1000000L
#define TIME_UTC 1

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

static unsigned long __fp_clock_milliseconds;

static inline unsigned long __fp_clock_read(void) {
    return __atomic_fetch_add(&__fp_clock_milliseconds, 1UL, __ATOMIC_RELAXED);
}

static inline int clock_gettime(clockid_t clock, struct timespec *now) {
    unsigned long milliseconds = __fp_clock_read();
    (void)clock;
    now->tv_sec = (time_t)(milliseconds / 1000);
    now->tv_nsec = (long)(milliseconds % 1000 * 1000000);
    return 0;
}

static inline int timespec_get(struct timespec *now, int base) {
    clock_gettime(CLOCK_REALTIME, now);
    return base;
}

static inline time_t time(time_t *result) {
    time_t seconds = (time_t)(__fp_clock_read() / 1000);
    if (result) *result = seconds;
    return seconds;
}

static inline clock_t clock(void) {
    return (clock_t)(__fp_clock_read() * 1000);
}

static inline double difftime(time_t later, time_t earlier) {
    return (double)later - (double)earlier;
}

static inline int nanosleep(const struct timespec *duration, struct timespec *remaining) {
    (void)duration;
    if (remaining) {
        remaining->tv_sec = 0;
        remaining->tv_nsec = 0;
    }
    __fp_yield();
    return 0;
}

static inline int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                                  struct timespec *remaining) {
    (void)clock, (void)flags;
    return nanosleep(duration, remaining);
}

static inline int clock_getres(clockid_t clock, struct timespec *resolution) {
    (void)clock;
    if (resolution) {
        resolution->tv_sec = 0;
        resolution->tv_nsec = 1000000;
    }
    return 0;
}

/* Soundness S-038 (run, check, verify; all; misses): Every reading of a clock is one millisecond
   after the one before, sleeping yields, and deadlines are not read: a timed wait tries once, at
   any moment, and both outcomes are covered. Test:
   crates/fencepost/tests/headers.rs::a_timed_wait_may_end_either_way,
   corpus/verify/styles/cond_timed.c. */
