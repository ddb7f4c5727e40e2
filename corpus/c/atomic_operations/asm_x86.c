// Inline assembly of x86 that reads and writes, in the forms that people write.
#include <stdint.h>
#include <stdio.h>

static int xchg32(volatile int *p, int v) {
    __asm__ __volatile__("xchgl %0, %1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
    return v;
}

static unsigned char xchg8(volatile unsigned char *p, unsigned char v) {
    asm volatile("xchgb %b0,%1" : "+q"(v), "+m"(*p) : : "memory");
    return v;
}

static int cmpxchg32(volatile int *p, int old, int new) {
    int prev;
    __asm__ __volatile__("lock; cmpxchgl %1,%2"
                         : "=a"(prev)
                         : "r"(new), "m"(*p), "0"(old)
                         : "memory");
    return prev;
}

static unsigned long cmpxchg64(volatile unsigned long *p, unsigned long old, unsigned long new) {
    unsigned long prev;
    asm volatile("lock cmpxchgq %2, %1" : "=a"(prev), "+m"(*p) : "r"(new), "0"(old) : "memory", "cc");
    return prev;
}

static _Bool cas_setz(long *p, long old, long new) {
    unsigned char ok;
    asm volatile("lock\n\tcmpxchgq %[new], %[mem]\n\tsete %[ok]"
                 : [ok] "=q"(ok), [mem] "+m"(*p), "+a"(old)
                 : [new] "r"(new)
                 : "memory", "cc");
    return ok;
}

static _Bool cas_flag(short *p, short old, short new) {
    _Bool ok;
    asm volatile("lock; cmpxchgw %3, %1" : "=@ccz"(ok), "+m"(*p), "+a"(old) : "r"(new) : "memory");
    return ok;
}

static int cas_pointer(void **p, void *old, void *new) {
    char result;
    __asm__ __volatile__("lock; cmpxchgq %3, (%2); setz %0"
                         : "=q"(result), "+a"(old)
                         : "r"(p), "r"(new)
                         : "memory");
    return result;
}

static int xadd(int *p, int by) {
    asm volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*p) : : "memory");
    return by;
}

static void inc(int *p) { asm volatile("lock; incl %0" : "+m"(*p)); }
static void dec(int *p) { asm volatile("lock; decl %0" : "=m"(*p) : "m"(*p)); }
static void add(int *p, int i) { asm volatile("lock; addl %1,%0" : "+m"(*p) : "ir"(i)); }
static void sub(long *p, long i) { asm volatile("lock subq %1,%0" : "+m"(*p) : "er"(i)); }
static void or8(unsigned char *p) { asm volatile("lock; orb $0x81, %0" : "+m"(*p)); }
static void and16(unsigned short *p) { asm volatile("lock; andw $0x0ff0, %0" : "+m"(*p)); }

static int dec_and_test(int *p) {
    unsigned char c;
    asm volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(c) : : "memory");
    return c != 0;
}

static int add_negative(int *p, int i) {
    unsigned char c;
    asm volatile("lock; addl %2,%0; sets %1" : "+m"(*p), "=qm"(c) : "ir"(i) : "memory");
    return c;
}

static int test_and_set_bit(int nr, volatile void *addr) {
    int old;
    asm volatile("lock; btsl %2,%1\n\tsbbl %0,%0"
                 : "=r"(old), "+m"(*(volatile long *)addr)
                 : "Ir"(nr)
                 : "memory");
    return old;
}

static int clear_bit(int nr, unsigned *word) {
    unsigned char c;
    asm volatile("lock; btrl %2,%1; setc %0" : "=q"(c), "+m"(*word) : "r"(nr) : "memory");
    return c;
}

static int compare(int a, int b) {
    unsigned char less, below, equal;
    asm("cmpl %4, %3; setl %0; setb %1; sete %2"
        : "=&q"(less), "=&q"(below), "=&q"(equal)
        : "r"(a), "r"(b)
        : "cc");
    return less * 100 + below * 10 + equal;
}

static int plain(int a) {
    int r;
    asm("movl %1, %0\n\t"
        "addl $3, %0\n\t"
        "notl %0\n\t"
        "negl %0 # minus\n\t"
        "xorl $0x10, %0"
        : "=&r"(r)
        : "r"(a)
        : "cc");
    return r;
}

static unsigned scratch(unsigned a) {
    unsigned r;
    asm("movl %1, %%ecx; movzbl %%cl, %%edx; movsbl %%cl, %%ecx; addl %%edx, %%ecx; movl %%ecx, %0"
        : "=r"(r)
        : "r"(a)
        : "ecx", "%edx", "cc");
    return r;
}

static uint64_t wide(uint64_t a) {
    asm("movl %k0, %k0" : "+r"(a));
    asm("incb %b0" : "+q"(a));
    return a;
}

int main(void) {
    int x = 5;
    unsigned char c = 7;
    unsigned long l = 1UL << 40;
    long m = -1;
    short s = -2;
    void *p = &x;
    int r = xchg32(&x, 9);
    printf("%d %d\n", r, x);
    r = xchg8(&c, 200);
    printf("%d %d\n", r, c);
    r = cmpxchg32(&x, 9, 10);
    printf("%d %d\n", r, x);
    r = cmpxchg32(&x, 9, 11);
    printf("%d %d\n", r, x);
    unsigned long q = cmpxchg64(&l, 1UL << 40, 3);
    printf("%lu %lu\n", q, l);
    r = cas_setz(&m, -1, 12);
    printf("%d %ld\n", r, m);
    r = cas_setz(&m, -1, 13);
    printf("%d %ld\n", r, m);
    r = cas_flag(&s, -2, 300);
    printf("%d %d\n", r, s);
    r = cas_pointer(&p, &x, &l);
    printf("%d %d\n", r, p == &l);
    r = cas_pointer(&p, &x, &m);
    printf("%d %d\n", r, *(unsigned long *)p == 3);
    r = xadd(&x, -20);
    printf("%d %d\n", r, x);
    inc(&x), inc(&x), dec(&x), add(&x, 4), add(&x, r), sub(&m, -3), or8(&c);
    unsigned short w = 0xffff;
    and16(&w);
    printf("%d %ld %d %#x\n", x, m, c, w);
    x = 2;
    r = dec_and_test(&x);
    printf("%d %d\n", r, dec_and_test(&x));
    r = add_negative(&x, -1);
    printf("%d %d\n", r, add_negative(&x, 1));
    unsigned bits[4] = {0};
    r = test_and_set_bit(5, bits);
    printf("%d %u\n", r, bits[0]);
    r = test_and_set_bit(5, bits);
    printf("%d %u\n", r, bits[0]);
    r = test_and_set_bit(r + 70, bits);
    printf("%d %u %u\n", r, bits[2], bits[0]);
    r = clear_bit(5, bits);
    printf("%d %u\n", r, bits[0]);
    r = clear_bit(5, bits);
    printf("%d %u\n", r, bits[0]);
    printf("%d %d %d\n", compare(-1, 1), compare(1, -1), compare(4, 4));
    printf("%d %u %lu\n", plain(40), scratch(0x1ff), wide(0xabcd000000ffULL));
    return 0;
}
