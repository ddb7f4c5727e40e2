/* Printing into memory (C11 7.21.6). Formats of snprintf and sprintf are read when the program is
   compiled, those of the others when it runs. Numbers with a point are not printed here. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

struct __fp_text {
    char *to;
    size_t size, length;
};

static inline void __fp_put(struct __fp_text *text, char c) {
    if (text->length + 1 < text->size) text->to[text->length] = c;
    text->length++;
}

struct __fp_conversion {
    _Bool left, plus, space, alternative, zeros;
    int width, precision;
};

/* What stands before the digits, zeros, and the rest, in a field. */
static inline void __fp_put_field(struct __fp_text *text, const struct __fp_conversion *how,
                                  const char *prefix, int zeros, const char *body, int length) {
    int prefixed = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : 2;
    int blanks = how->width - prefixed - zeros - length;
    if (!how->left) while (blanks-- > 0) __fp_put(text, ' ');
    for (int i = 0; i < prefixed; i++) __fp_put(text, prefix[i]);
    while (zeros-- > 0) __fp_put(text, '0');
    for (int i = 0; i < length; i++) __fp_put(text, body[i]);
    if (how->left) while (blanks-- > 0) __fp_put(text, ' ');
}

static inline void __fp_put_number(struct __fp_text *text, const struct __fp_conversion *how,
                                   char kind, unsigned long value, _Bool negative) {
    char digits[24];
    int length = 0;
    unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10;
    _Bool zero = value == 0;
    for (; value; value /= base) {
        unsigned digit = (unsigned)(value % base);
        digits[23 - length++] = (char)(digit < 10 ? '0' + digit
                                       : (kind == 'X' ? 'A' : 'a') + digit - 10);
    }
    const char *prefix = "";
    if (kind == 'd' || kind == 'i') prefix = negative ? "-" : how->plus ? "+" : how->space ? " " : "";
    if (kind == 'p' || (how->alternative && kind == 'x' && !zero)) prefix = "0x";
    if (how->alternative && kind == 'X' && !zero) prefix = "0X";
    int zeros = (how->precision < 0 ? 1 : how->precision) - length;
    if (how->alternative && kind == 'o' && zeros < 1) zeros = 1;
    if (how->zeros && !how->left && how->precision < 0) {
        int prefixed = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : 2;
        if (how->width - prefixed - length > zeros) zeros = how->width - prefixed - length;
    }
    __fp_put_field(text, how, prefix, zeros < 0 ? 0 : zeros, digits + 24 - length, length);
}

static inline int vsnprintf(char *restrict to, size_t size, const char *restrict format,
                            va_list list) {
    struct __fp_text text = { to, size, 0 };
    for (; *format; format++) {
        if (*format != '%') {
            __fp_put(&text, *format);
            continue;
        }
        struct __fp_conversion how = { 0, 0, 0, 0, 0, 0, -1 };
        for (format++;; format++) {
            if (*format == '-') how.left = 1;
            else if (*format == '+') how.plus = 1;
            else if (*format == ' ') how.space = 1;
            else if (*format == '#') how.alternative = 1;
            else if (*format == '0') how.zeros = 1;
            else break;
        }
        if (*format == '*') {
            how.width = va_arg(list, int);
            if (how.width < 0) {
                how.left = 1;
                how.width = -how.width;
            }
            format++;
        }
        while (*format >= '0' && *format <= '9') how.width = how.width * 10 + (*format++ - '0');
        if (*format == '.') {
            how.precision = 0;
            format++;
            if (*format == '*') {
                how.precision = va_arg(list, int);
                format++;
            }
            while (*format >= '0' && *format <= '9')
                how.precision = how.precision * 10 + (*format++ - '0');
        }
        int bytes = 4;
        if (*format == 'h') {
            bytes = format[1] == 'h' ? 1 : 2;
            format += bytes == 1 ? 2 : 1;
        } else if (*format == 'l' || *format == 'j' || *format == 'z' || *format == 't') {
            format += format[0] == 'l' && format[1] == 'l' ? 2 : 1;
            bytes = 8;
        }
        switch (*format) {
        case '%': __fp_put(&text, '%'); break;
        case 'c': {
            __fp_supported(bytes == 4, "wide characters in vsnprintf");
            char c = (char)va_arg(list, int);
            __fp_put_field(&text, &how, "", 0, &c, 1);
            break;
        }
        case 's': {
            __fp_supported(bytes == 4, "wide characters in vsnprintf");
            const char *body = va_arg(list, const char *);
            int length = 0;
            while ((how.precision < 0 || length < how.precision) && body[length]) length++;
            __fp_put_field(&text, &how, "", 0, body, length);
            break;
        }
        case 'd':
        case 'i': {
            long value = bytes == 8 ? va_arg(list, long) : va_arg(list, int);
            if (bytes == 2) value = (short)value;
            if (bytes == 1) value = (signed char)value;
            unsigned long magnitude = value < 0 ? -(unsigned long)value : (unsigned long)value;
            __fp_put_number(&text, &how, 'd', magnitude, value < 0);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long value = bytes == 8 ? va_arg(list, unsigned long)
                                             : va_arg(list, unsigned int);
            if (bytes == 2) value = (unsigned short)value;
            if (bytes == 1) value = (unsigned char)value;
            __fp_put_number(&text, &how, *format, value, 0);
            break;
        }
        case 'p': {
            unsigned long value = (unsigned long)va_arg(list, void *);
            if (value) __fp_put_number(&text, &how, 'p', value, 0);
            else __fp_put_field(&text, &how, "", 0, "(nil)", 5);
            break;
        }
        default: __fp_supported(0, "this conversion in vsnprintf");
        }
    }
    if (size > 0) to[text.length < size ? text.length : size - 1] = 0;
    return (int)text.length;
}

static inline int vsprintf(char *restrict to, const char *restrict format, va_list list) {
    return vsnprintf(to, (size_t)-1, format, list);
}

static inline int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}

static inline int sprintf(char *restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsprintf(to, format, list);
    va_end(list);
    return length;
}

static inline int vasprintf(char **restrict to, const char *restrict format, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *to = __fp_alloc((size_t)length + 1, 16, 0);
    return vsnprintf(*to, (size_t)length + 1, format, list);
}

static inline int asprintf(char **restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = vasprintf(to, format, list);
    va_end(list);
    return length;
}
