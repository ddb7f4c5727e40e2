// The names of GenMC's and Dartagnan's headers.
#include <dat3m.h>
#include <genmc.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, ready;

static void *run(void *argument) {
    int old = __VERIFIER_speculative_read(atomic_load(&x));
    while (!__VERIFIER_confirming_CAS(atomic_compare_exchange_strong(&x, &old, old + 1))) {
    }
    __VERIFIER_final_write(atomic_store(&ready, 1));
    return argument;
}

int main(void) {
    int token;
    __VERIFIER_thread_t thread = __VERIFIER_spawn(run, &token);
    __VERIFIER_loop_bound(4);
    await_while (atomic_load_explicit(&ready, memory_order_acquire) == 0) {
    }
    __VERIFIER_optional(puts("never"));
    void *result = __VERIFIER_join(thread);
    __VERIFIER_assert(__VERIFIER_tid() == 0);
    printf("%d %d\n", atomic_load(&x), result == &token);
    return 0;
}
