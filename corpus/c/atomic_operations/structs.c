/* _Atomic structures up to sixteen bytes. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

struct pair { int a, b; };
struct tagged { void *pointer; uintptr_t tag; };
struct small { unsigned char r, g, b, a; };

int main(void) {
    _Atomic struct pair p = { 1, 2 };
    struct pair v = atomic_load(&p);
    printf("%d %d\n", v.a, v.b);
    v.a = 10;
    atomic_store(&p, v);
    struct pair old = atomic_exchange(&p, ((struct pair){ 3, 4 }));
    printf("%d %d\n", old.a, old.b);
    struct pair expected = { 3, 4 };
    int ok = atomic_compare_exchange_strong(&p, &expected, v);
    printf("%d\n", ok);
    ok = atomic_compare_exchange_strong(&p, &expected, v);
    printf("%d %d %d\n", ok, expected.a, expected.b);
    p = (struct pair){ 5, 6 };
    v = p;
    printf("%d %d\n", v.a, v.b);
    int x = 1;
    _Atomic struct tagged t = { &x, 1 };
    struct tagged cur = atomic_load(&t);
    struct tagged next = { cur.pointer, cur.tag + 1 };
    ok = atomic_compare_exchange_strong(&t, &cur, next);
    cur = atomic_load(&t);
    printf("%d %lu %d\n", ok, cur.tag, *(int *)cur.pointer);
    _Atomic struct small s = { 1, 2, 3, 4 };
    struct small c = atomic_load(&s);
    c.g = 200;
    atomic_store_explicit(&s, c, memory_order_release);
    printf("%d %d\n", atomic_load(&s).g, atomic_load_explicit(&s, memory_order_acquire).a);
    printf("%zu %zu %zu\n", sizeof p, sizeof t, sizeof s);
    printf("%zu %zu\n", _Alignof(_Atomic struct pair), _Alignof(_Atomic struct tagged));
    return 0;
}
