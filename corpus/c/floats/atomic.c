/* Atomic floating-point objects: whole loads and stores, exchange, compare-and-swap by bits, and
   the operators that are loops around one. */
#include <stdatomic.h>
#include <stdio.h>

static _Atomic double sum;
static _Atomic float level = 1.5f;
static _Atomic int count = 3;
static double plain = 2;

int main(void) {
    sum += 1.5;
    sum *= 2;
    sum -= 0.25f;
    level++;
    --level;
    count += 1.7;
    double before = sum++;
    printf("%g %g %g %d\n", before, sum, level, count);
    atomic_store(&level, 4);
    float old = atomic_exchange(&level, 0.5f);
    printf("%g %g\n", old, atomic_load_explicit(&level, memory_order_acquire));
    float expected = 1;
    int done = atomic_compare_exchange_strong(&level, &expected, 9);
    printf("%d %g %g\n", done, expected, level);
    done = atomic_compare_exchange_strong(&level, &expected, 9);
    printf("%d %g %g\n", done, expected, level);
    atomic_store(&sum, 0.0);
    double minus_zero = -0.0;
    printf("%d\n", atomic_compare_exchange_strong(&sum, &minus_zero, 1));
    double seen, next = 7.5;
    __atomic_load(&plain, &seen, __ATOMIC_SEQ_CST);
    __atomic_store(&plain, &next, __ATOMIC_SEQ_CST);
    printf("%g %g\n", seen, plain);
    return 0;
}
