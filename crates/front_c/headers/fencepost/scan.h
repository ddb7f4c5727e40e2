/* The scanf family (C11 7.21.6.2). What a stream holds is not known: each conversion gives any value
   of its type, and before each the input may end, or not be what the format wants. Text in memory
   is read as it is. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

static inline int __fp_is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline void __fp_put_scanned(void *to, int width, unsigned long value) {
    if (width == 1) *(unsigned char *)to = (unsigned char)value;
    if (width == 2) *(unsigned short *)to = (unsigned short)value;
    if (width == 4) *(unsigned int *)to = (unsigned int)value;
    if (width == 8) *(unsigned long *)to = value;
}

/* The next character of a stream: any, or the end. */
static inline int __fp_any_character(void) {
    return __fp_choose(-1, 255);
}

/* An integer in text; moves behind it, or stays if there is none. */
static inline unsigned long __fp_scan_integer(const char **text, int base, int most) {
    const char *at = *text;
    unsigned long value = 0;
    _Bool negative = *at == '-', any = 0;
    const char *end = most ? at + most : (const char *)0;
    if (*at == '-' || *at == '+') at++;
    if ((base == 0 || base == 16) && at != end && at[0] == '0' && (at[1] | 32) == 'x') {
        base = 16;
        at += 2;
    }
    if (base == 0) base = *at == '0' ? 8 : 10;
    for (; at != end; at++) {
        int lower = *at | 32;
        int digit = *at >= '0' && *at <= '9' ? *at - '0'
                    : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
        if (digit >= base) break;
        value = value * (unsigned long)base + (unsigned long)digit;
        any = 1;
    }
    if (any) *text = at;
    return negative ? -value : value;
}

/* `text` is null for a stream. */
static inline int __fp_scan(const char *text, const char *format, va_list list) {
    int done = 0;
    for (; *format; format++) {
        if (__fp_is_space(*format)) {
            if (text) while (__fp_is_space(*text)) text++;
            continue;
        }
        _Bool literal = *format != '%' || format[1] == '%';
        if (literal) {
            if (*format == '%') format++;
            if (text) {
                if (*text != *format) return *text || done ? done : -1;
                text++;
            } else {
                int next = __fp_choose(-1, 1);
                if (next < 0) return done ? done : -1;
                if (next == 0) return done;
            }
            continue;
        }
        format++;
        _Bool skipped = *format == '*';
        if (skipped) format++;
        int most = 0, width = 4;
        while (*format >= '0' && *format <= '9') most = most * 10 + (*format++ - '0');
        if (*format == 'h') {
            width = format[1] == 'h' ? 1 : 2;
            format += width == 1 ? 2 : 1;
        } else if (*format == 'l' || *format == 'j' || *format == 'z' || *format == 't') {
            format += format[0] == 'l' && format[1] == 'l' ? 2 : 1;
            width = 8;
        }
        char kind = *format;
        if (text && kind != 'c' && kind != 'n') while (__fp_is_space(*text)) text++;
        if (kind != 'n') {
            int next = text ? *text ? 1 : -1 : __fp_choose(-1, 1);
            if (next < 0) return done ? done : -1;
            if (next == 0) return done;
        }
        if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X'
            || kind == 'o') {
            unsigned long value;
            if (text) {
                const char *before = text;
                int base = kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'd' || kind == 'u' ? 10 : 16;
                value = __fp_scan_integer(&text, base, most);
                if (text == before) return done;
            } else {
                value = width == 8 ? __fp_any_u64() : width == 4 ? __fp_any_u32()
                        : width == 2 ? __fp_any_u16() : __fp_any_u8();
            }
            if (!skipped) __fp_put_scanned(va_arg(list, void *), width, value);
        } else if (kind == 'c') {
            char *to = skipped ? (char *)0 : va_arg(list, char *);
            for (int i = 0; i < (most ? most : 1); i++) {
                char c = text ? *text++ : (char)__fp_any_u8();
                if (to) to[i] = c;
                if (text && !c) return done;
            }
        } else if (kind == 's') {
            char *to = skipped ? (char *)0 : va_arg(list, char *);
            int length = 0;
            do {
                int c = text ? *text : length ? __fp_any_character() : __fp_choose(33, 255);
                if (c == 0 && text) break;
                if (c == -1 || __fp_is_space(c)) break;
                if (to) to[length] = (char)c;
                if (text) text++;
                length++;
            } while (!most || length < most);
            if (to) to[length] = 0;
        } else if ((kind == 'f' || kind == 'g' || kind == 'e') && !text && width != 2) {
            unsigned long bits = width == 8 ? __fp_any_u64() : __fp_any_u32();
            if (!skipped) __fp_put_scanned(va_arg(list, void *), width, bits);
        } else {
            __fp_supported(0, "this conversion of the scanf family");
        }
        if (!skipped) done++;
    }
    return done;
}
