/* Functions that walk their variable arguments: by value, through a va_list, by copies of one. */
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...) {
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    va_end(list);
    return total;
}

static long total_of(int count, va_list list) {
    long total = 0;
    while (count--) total += va_arg(list, long);
    return total;
}

static long twice(int count, ...) {
    va_list first, second;
    va_start(first, count);
    va_copy(second, first);
    long result = total_of(count, first) + total_of(count, second);
    va_end(second);
    va_end(first);
    return result;
}

static const char *last_text(const char *kinds, ...) {
    va_list list;
    const char *text = "none";
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 's') text = va_arg(list, const char *);
        else if (*kinds == 'u') (void)va_arg(list, unsigned long long);
        else (void)va_arg(list, int);
    }
    va_end(list);
    return text;
}

static int first_of(int count, ...) { return count; }

static int nested(int count, ...) {
    va_list list;
    va_start(list, count);
    int first = va_arg(list, int);
    int inner = sum(2, first, va_arg(list, int));
    va_end(list);
    return inner;
}

int main(void) {
    char small = -3;
    short middle = 400;
    printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(2, small, middle));
    printf("%ld\n", twice(3, 10L, 20L, -5L));
    printf("%s %s\n", last_text("isui", 1, "first", 1ULL << 40, 2), last_text(""));
    printf("%d %d\n", first_of(4, 1, "ignored"), nested(2, 20, 22));
    int (*through)(int, ...) = sum;
    printf("%d\n", through(4, 1, 1, 1, 1));
    return 0;
}
