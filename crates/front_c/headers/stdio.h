/* <stdio.h>: printing to the two output streams and into memory (C11 7.21, without `%a`).
   A call of the printf family is translated where it stands, when the program is compiled; the
   format must therefore be a string literal. There are no files; what is read from a stream may be
   anything, or the end of the input. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <fencepost/errno.h>
#include <fencepost/format.h>
#include <fencepost/scan.h>

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

int printf(const char *restrict format, ...);
int fprintf(FILE *restrict stream, const char *restrict format, ...);

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

static inline int putchar_unlocked(int c) {
    return fputc(c, stdout);
}

static inline size_t fwrite(const void *data, size_t size, size_t count, FILE *stream) {
    const char *bytes = data;
    for (size_t i = 0; i < size * count; i++) fputc(bytes[i], stream);
    return count;
}

static inline int fgetc(FILE *stream) {
    (void)stream;
    return __fp_choose(EOF, 255);
}

static inline int getc(FILE *stream) {
    return fgetc(stream);
}

static inline int getchar(void) {
    return fgetc(stdin);
}

/* Any line, of any length that fits. */
static inline char *fgets(char *restrict to, int size, FILE *restrict stream) {
    int length = 0;
    while (length + 1 < size) {
        int c = fgetc(stream);
        if (c == EOF) break;
        to[length++] = (char)c;
        if (c == '\n') break;
    }
    if (length == 0 && size > 1) return NULL;
    if (size > 0) to[length] = 0;
    return to;
}

static inline size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    char *bytes = to;
    for (size_t i = 0; i < size * count; i++) {
        int c = fgetc(stream);
        if (c == EOF) return i / size;
        bytes[i] = (char)c;
    }
    return size ? count : 0;
}

static inline int vfscanf(FILE *restrict stream, const char *restrict format, va_list list) {
    (void)stream;
    return __fp_scan(NULL, format, list);
}

static inline int vscanf(const char *restrict format, va_list list) {
    return __fp_scan(NULL, format, list);
}

static inline int vsscanf(const char *restrict text, const char *restrict format, va_list list) {
    return __fp_scan(text, format, list);
}

static inline int fscanf(FILE *restrict stream, const char *restrict format, ...) {
    (void)stream;
    va_list list;
    va_start(list, format);
    int done = __fp_scan(NULL, format, list);
    va_end(list);
    return done;
}

static inline int scanf(const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int done = __fp_scan(NULL, format, list);
    va_end(list);
    return done;
}

static inline int sscanf(const char *restrict text, const char *restrict format, ...) {
    __fp_require(text != NULL, "sscanf reads text");
    va_list list;
    va_start(list, format);
    int done = __fp_scan(text, format, list);
    va_end(list);
    return done;
}

/* Nobody knows where a stream ends. */
static inline int feof(FILE *stream) {
    (void)stream;
    return __fp_choose(0, 1);
}

static inline int ferror(FILE *stream) {
    (void)stream;
    return 0;
}

static inline void clearerr(FILE *stream) {
    (void)stream;
}

/* A format that is known only when the program runs is printed as it stands. */
static inline int vfprintf(FILE *restrict stream, const char *restrict format, va_list list) {
    (void)list;
    return fprintf(stream, "%s", format);
}

static inline int vprintf(const char *restrict format, va_list list) {
    return vfprintf(stdout, format, list);
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

static inline void setlinebuf(FILE *stream) {
    (void)stream;
}

static inline void perror(const char *prefix) {
    if (prefix && *prefix) fprintf(stderr, "%s: ", prefix);
    fprintf(stderr, "error %d\n", __fp_errno);
}

/* Soundness S-035 (run, check, verify; all; cries wolf): Input functions return any character,
   text or number, the end of the input, or input that does not fit the format. Test:
   corpus/verify/styles/scanf.c. */

/* Soundness S-036 (run, check, verify; all; refuses): `sscanf` of floating-point numbers, `%[`,
   `%p` and `%n`, and formats outside the supported set in `vsnprintf` and its relatives, end an
   execution: what is not violated is `? cut`, and `run` stops. Test:
   corpus/bad/format-not-literal.c, corpus/verify/styles/sscanf.c,
   corpus/verify/approximations/not_supported_conversion.c. */
