/* Sizes and alignments of the atomic types, and what the macros say about them. */
#include <stdatomic.h>
#include <stdio.h>

#define SHOW(type) printf("%zu %zu\n", sizeof(type), _Alignof(type))

int main(void) {
    SHOW(atomic_bool);
    SHOW(atomic_char);
    SHOW(atomic_short);
    SHOW(atomic_int);
    SHOW(atomic_long);
    SHOW(atomic_llong);
    SHOW(atomic_size_t);
    SHOW(atomic_intptr_t);
    SHOW(atomic_uint_fast16_t);
    SHOW(atomic_int_least8_t);
    SHOW(atomic_uintmax_t);
    SHOW(atomic_wchar_t);
    SHOW(_Atomic(struct { int a; int b; }));
    SHOW(_Atomic(struct { long a; long b; }));
    SHOW(_Atomic(struct { char a[3]; }));
    printf("%d %d %d\n", ATOMIC_INT_LOCK_FREE, ATOMIC_POINTER_LOCK_FREE, ATOMIC_BOOL_LOCK_FREE);
    atomic_int object = ATOMIC_VAR_INIT(3);
    printf("%d %d\n", atomic_is_lock_free(&object), kill_dependency(object));
    printf("%d %d %d\n", memory_order_relaxed, memory_order_acquire, memory_order_seq_cst);
    return 0;
}
