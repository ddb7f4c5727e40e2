/* Atomic operations on 128-bit integers and on members at odd places. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;

struct mixed { char c; _Atomic short s; _Atomic(char) d; _Atomic long l; };

int main(void) {
    _Atomic u128 w = 1;
    u128 v = atomic_load(&w);
    atomic_store(&w, v + ((u128)2 << 64));
    v = atomic_exchange(&w, (u128)5 << 64 | 7);
    printf("%lu %lu\n", (unsigned long)(v >> 64), (unsigned long)v);
    u128 expected = (u128)5 << 64 | 7;
    int ok = atomic_compare_exchange_strong(&w, &expected, (u128)9);
    v = atomic_load(&w);
    printf("%d %lu %lu\n", ok, (unsigned long)(v >> 64), (unsigned long)v);
    struct mixed m = { 1, 2, 3, 4 };
    m.s++;
    m.d += 5;
    m.l -= 10;
    printf("%d %d %d %ld\n", m.c, m.s, m.d, m.l);
    printf("%zu %zu\n", sizeof m, sizeof w);
    _Atomic int array[3] = { 1, 2, 3 };
    for (int i = 0; i < 3; i++) atomic_fetch_add(&array[i], i * 10);
    printf("%d %d %d\n", array[0], array[1], array[2]);
    static _Atomic uint16_t counter = 65535;
    printf("%d ", atomic_fetch_add(&counter, 1));
    printf("%d\n", counter);
    _Atomic int *p = &array[1];
    *p = 50;
    ++*p;
    printf("%d\n", array[1]);
    return 0;
}
