/* <sys/random.h>: numbers that are random may be any. */
#pragma once

#include <sys/types.h>

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2

static inline ssize_t getrandom(void *buffer, size_t size, unsigned int flags) {
    unsigned char *bytes = buffer;
    (void)flags;
    for (size_t i = 0; i < size; i++) bytes[i] = __fp_any_u8();
    return (ssize_t)size;
}
