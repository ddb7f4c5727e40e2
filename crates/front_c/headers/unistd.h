/* <unistd.h>: the little of POSIX that concurrent test programs use. Sleeping is yielding. */
#pragma once

#include <getopt.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84

static inline unsigned int sleep(unsigned int seconds) {
    (void)seconds;
    __fp_yield();
    return 0;
}

static inline int usleep(useconds_t microseconds) {
    (void)microseconds;
    __fp_yield();
    return 0;
}

static inline pid_t getpid(void) {
    return 1;
}

static inline long sysconf(int name) {
    switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return 2;
    default: return -1;
    }
}

static inline ssize_t write(int file, const void *data, size_t count) {
    const char *text = data;
    if (file != STDOUT_FILENO && file != STDERR_FILENO) return -1;
    for (size_t i = 0; i < count; i++) {
        if (file == STDOUT_FILENO) __fp_print(1, "%c", text[i]);
        else __fp_print(2, "%c", text[i]);
    }
    return (ssize_t)count;
}

static inline _Noreturn void _exit(int status) {
    __fp_quick_exit(status);
}

static inline pid_t getppid(void) {
    return 0;
}

static inline pid_t gettid(void) {
    return (pid_t)__fp_self();
}

static inline uid_t getuid(void) {
    return 1000;
}

static inline uid_t geteuid(void) {
    return 1000;
}

static inline int getpagesize(void) {
    return 4096;
}

static inline int isatty(int file) {
    (void)file;
    return 0;
}
