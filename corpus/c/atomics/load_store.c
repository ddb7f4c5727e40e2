/* Loads and stores of every order on every integer width. */
#include <stdatomic.h>
#include <stdio.h>

#define CHECK(type, value)                                              \
    do {                                                                \
        _Atomic(type) object = 0;                                       \
        atomic_store_explicit(&object, (type)(value), memory_order_relaxed); \
        type a = atomic_load_explicit(&object, memory_order_relaxed);   \
        atomic_store_explicit(&object, (type)(a + 1), memory_order_release); \
        type b = atomic_load_explicit(&object, memory_order_acquire);   \
        atomic_store(&object, (type)(b + 1));                           \
        type c = atomic_load(&object);                                  \
        printf("%lld %lld %lld\n", (long long)a, (long long)b, (long long)c); \
    } while (0)

int main(void) {
    CHECK(signed char, 126);
    CHECK(unsigned char, 254);
    CHECK(short, 32766);
    CHECK(unsigned short, 65534);
    CHECK(int, -1);
    CHECK(unsigned, 4294967294u);
    CHECK(long, -2);
    CHECK(unsigned long long, 1ull << 40);
    return 0;
}
