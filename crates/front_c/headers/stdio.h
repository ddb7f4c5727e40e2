/* <stdio.h>: printing to the two output streams and into memory (C11 7.21, without floats).
   The printf family are macros over builtins, which read the format when they are compiled;
   it must therefore be a string literal. There are no files and there is no input. */
#pragma once

#include <stddef.h>

typedef struct {
    int __fp_descriptor;
} FILE;

static FILE __fp_streams[3] = { { 0 }, { 1 }, { 2 } };
#define stdin (&__fp_streams[0])
#define stdout (&__fp_streams[1])
#define stderr (&__fp_streams[2])

#define EOF (-1)
#define BUFSIZ 8192
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

#define printf(...) __fp_print(1, __VA_ARGS__)
#define fprintf(stream, ...) \
    ((stream) == stderr ? __fp_print(2, __VA_ARGS__) : __fp_print(1, __VA_ARGS__))
#define snprintf(buffer, size, ...) __fp_snprint((buffer), (size), __VA_ARGS__)
#define sprintf(buffer, ...) __fp_snprint((buffer), (size_t)0x7fffffff, __VA_ARGS__)

static inline int fputc(int c, FILE *stream) {
    fprintf(stream, "%c", c);
    return (unsigned char)c;
}

static inline int putc(int c, FILE *stream) {
    return fputc(c, stream);
}

static inline int putchar(int c) {
    return fputc(c, stdout);
}

static inline int fputs(const char *text, FILE *stream) {
    return fprintf(stream, "%s", text);
}

static inline int puts(const char *text) {
    return printf("%s\n", text);
}

static inline int fflush(FILE *stream) {
    (void)stream;
    return 0;
}

static inline int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    (void)stream, (void)buffer, (void)mode, (void)size;
    return 0;
}

static inline void setbuf(FILE *stream, char *buffer) {
    (void)stream, (void)buffer;
}

#define perror(prefix) __fp_perror(prefix, errno)
static inline void __fp_perror(const char *prefix, int code) {
    if (prefix && *prefix) fprintf(stderr, "%s: ", prefix);
    fprintf(stderr, "error %d\n", code);
}
