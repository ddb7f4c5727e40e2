/* <err.h>: messages to stderr, and the end of the program. The format must be a string literal. */
#pragma once

#include <stdio.h>

#define warnx(...) ((void)(fprintf(stderr, __VA_ARGS__), fprintf(stderr, "\n")))
#define warn(...) \
    ((void)(fprintf(stderr, __VA_ARGS__), fprintf(stderr, ": error %d\n", __fp_errno)))
#define errx(status, ...) (warnx(__VA_ARGS__), __fp_exit(status))
#define err(status, ...) (warn(__VA_ARGS__), __fp_exit(status))
