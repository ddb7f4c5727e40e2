// Result and comparand of `cmpxchg` share a register of which they need different parts.
//$ verify FILE --model tso
#include <assert.h>
#include <stdint.h>
static int cmpset(volatile uint32_t *dst, uint32_t exp, uint32_t src) {
    uint8_t res;
    __asm__ volatile("lock; cmpxchgl %[src], %[dst]; sete %[res];"
        : [res] "=a"(res), [dst] "=m"(*dst) : [src] "r"(src), "a"(exp), "m"(*dst) : "memory");
    return res;
}
int main(void) { volatile uint32_t x = 1; assert(cmpset(&x, 1, 2) && x == 2 && !cmpset(&x, 1, 3)); return 0; }
