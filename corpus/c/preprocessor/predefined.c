/* Predefined macros that do not depend on the day. */
#include <stdio.h>
#include <string.h>

#define HERE __LINE__
#define WRAP(x) x

int main(void) {
    printf("%d\n", __LINE__);
    printf("%d %d\n", HERE, WRAP(__LINE__));
    const char *name = strrchr(__FILE__, '/');
    printf("%s\n", name ? name + 1 : __FILE__);
    int a = __COUNTER__, b = __COUNTER__, c = __COUNTER__;
    printf("%d %d\n", b - a, c - b);
    printf("%d\n", __STDC__);
    printf("%zu %zu\n", sizeof __DATE__, sizeof __TIME__);
    printf("%d %d %d\n", __CHAR_BIT__, __SIZEOF_INT__, __SIZEOF_LONG__);
    printf("%d %d\n", __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, __ORDER_BIG_ENDIAN__);
    printf("%d %ld\n", __INT_MAX__, __LONG_MAX__);
    printf("%d %d %d\n", __ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_SEQ_CST);
    __SIZE_TYPE__ s = 1;
    __INT32_TYPE__ i = -1;
    __UINT64_TYPE__ u = -1;
    printf("%zu %d %lu\n", s, i, u);
    printf("%d %d\n", __x86_64__, __LP64__);
#line 1000
    printf("%d\n", __LINE__);
#line 50 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    return 0;
}
