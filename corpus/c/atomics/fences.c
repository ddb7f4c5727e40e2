/* Fences of every order are accepted and change no value. */
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    int a = 1;
    atomic_thread_fence(memory_order_relaxed);
    a += 1;
    atomic_thread_fence(memory_order_acquire);
    a += 1;
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_consume);
    a += 1;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    __sync_synchronize();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __asm__ __volatile__("" ::: "memory");
    printf("%d\n", a);
    return 0;
}
