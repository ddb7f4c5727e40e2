/* Inline assembly barriers that do nothing to a single thread. */
#include <stdio.h>

#define barrier() __asm__ __volatile__("" ::: "memory")
#define mb() __asm__ __volatile__("mfence" ::: "memory")
#define rmb() asm volatile("lfence" ::: "memory")
#define wmb() asm volatile("sfence" : : : "memory")

int main(void) {
    int x = 1;
    barrier();
    x++;
    mb();
    x++;
    rmb();
    wmb();
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    printf("%d\n", x);
    return 0;
}
