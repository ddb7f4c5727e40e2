/* The size and alignment of every integer type. */
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>

#define SHOW(type) printf("%-22s size %2zu align %2zu\n", #type, sizeof(type), _Alignof(type))

int main(void) {
    SHOW(_Bool);
    SHOW(char);
    SHOW(signed char);
    SHOW(unsigned char);
    SHOW(short);
    SHOW(unsigned short);
    SHOW(int);
    SHOW(unsigned);
    SHOW(long);
    SHOW(unsigned long);
    SHOW(long long);
    SHOW(unsigned long long);
    SHOW(__int128);
    SHOW(unsigned __int128);
    SHOW(int8_t);
    SHOW(int16_t);
    SHOW(int32_t);
    SHOW(int64_t);
    SHOW(intptr_t);
    SHOW(intmax_t);
    SHOW(int_fast16_t);
    SHOW(int_least16_t);
    SHOW(size_t);
    SHOW(ptrdiff_t);
    SHOW(wchar_t);
    SHOW(void *);
    SHOW(int (*)(void));
    SHOW(max_align_t);
    return 0;
}
