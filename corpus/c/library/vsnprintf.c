/* Formats that are known only when the program runs, into memory. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void show(size_t size, const char *format, ...) {
    char buffer[64];
    va_list list;
    for (size_t i = 0; i < sizeof buffer; i++) buffer[i] = '#';
    va_start(list, format);
    int length = vsnprintf(size ? buffer : NULL, size, format, list);
    va_end(list);
    buffer[63] = 0;
    printf("%d [%s]\n", length, size ? buffer : "");
}

static char *text(const char *format, ...) {
    char *made;
    va_list list;
    va_start(list, format);
    if (vasprintf(&made, format, list) < 0) abort();
    va_end(list);
    return made;
}

int main(void) {
    show(64, "plain %% %s|%c|", "text", 'x');
    show(64, "%d %i %u %ld %lu %lld %zu", -5, 7, 4000000000u, -1L, 2ul, 3ll, (size_t)4);
    show(64, "%x %X %#x %#X %o %#o %#o", 255, 255, 255, 255, 8, 8, 0);
    show(64, "%hhd %hd %hhu %hu", 300, 70000, 300, 70000);
    show(64, "[%5d|%-5d|%05d|%+d|% d|%+05d]", 42, 42, 42, 42, 42, 42);
    show(64, "[%.3d|%8.3d|%-8.3d|%08.3d|%.0d|%#.3x]", 5, 5, 5, 5, 0, 5);
    show(64, "[%6s|%-6s|%.2s|%6.1s|%3c]", "abc", "abc", "abc", "abc", 'z');
    show(64, "[%*d|%-*d|%*d|%.*s]", 4, 1, 4, 2, -4, 3, 2, "xyz");
    show(64, "%ld %lu %#lx", (-0x7fffffffffffffffL - 1), ~0ul, ~0ul);
    show(64, "%p", (void *)0);
    show(4, "%s", "too long");
    show(1, "%d", 12345);
    show(0, "%d-%d", 1, 22);
    char *made = text("%s=%d", "key", 17);
    printf("%s\n", made);
    free(made);
    if (asprintf(&made, "%03d", 7) == 3) printf("%s\n", made);
    free(made);
    return 0;
}
