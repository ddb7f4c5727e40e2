/* The C11 generic functions on every integer width. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define EXERCISE(type, format) do { \
    _Atomic type a; \
    atomic_init(&a, 5); \
    printf(#type ": " format, atomic_load(&a)); \
    atomic_store(&a, 7); \
    printf(" " format, atomic_exchange(&a, 9)); \
    printf(" " format, atomic_fetch_add(&a, 3)); \
    printf(" " format, atomic_fetch_sub(&a, 2)); \
    printf(" " format, atomic_fetch_or(&a, 0x30)); \
    printf(" " format, atomic_fetch_and(&a, 0x3c)); \
    printf(" " format, atomic_fetch_xor(&a, 0xf)); \
    printf(" " format "\n", atomic_load(&a)); \
} while (0)

int main(void) {
    EXERCISE(char, "%d");
    EXERCISE(unsigned char, "%d");
    EXERCISE(short, "%d");
    EXERCISE(unsigned short, "%d");
    EXERCISE(int, "%d");
    EXERCISE(unsigned, "%u");
    EXERCISE(long, "%ld");
    EXERCISE(unsigned long, "%lu");
    EXERCISE(long long, "%lld");
    EXERCISE(int8_t, "%d");
    EXERCISE(uint64_t, "%lu");
    return 0;
}
