/* <sys/time.h>: the clock of <time.h> in microseconds. */
#pragma once

#include <time.h>

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

static inline int gettimeofday(struct timeval *now, void *zone) {
    struct timespec read;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &read);
    now->tv_sec = read.tv_sec;
    now->tv_usec = read.tv_nsec / 1000;
    return 0;
}
