// Inline assembly of x86 that writes a part of a register: four bytes clear the rest, one and two
// leave it.
#include <stdio.h>

static long sign_extended(signed char c) {
    long r = -1;
    asm("movsbl %1, %k0" : "+r"(r) : "q"(c));
    return r;
}

static long sign_extended_from_memory(short s, long r) {
    asm("movswl %1, %k0" : "+r"(r) : "m"(s));
    return r;
}

static long two_bytes(signed char c, long r) {
    asm("movsbw %1, %w0" : "+r"(r) : "q"(c));
    return r;
}

static long all_bytes(int i) {
    long r;
    asm("movslq %1, %0" : "=r"(r) : "m"(i));
    return r;
}

static long exchanged(int *p, long r) {
    asm volatile("xchgl %k0, %1" : "+r"(r), "+m"(*p) : : "memory");
    return r;
}

// The forms of the Linux kernel, whose accumulator is a `long` whatever the size.
static long swapped(int *p, long old, long new) {
    asm volatile("lock; cmpxchgl %k2, %1" : "+a"(old), "+m"(*p) : "r"(new) : "memory");
    return old;
}

static long swapped_byte(signed char *p, long old, long new) {
    asm volatile("lock; cmpxchgb %b2, %1" : "+a"(old), "+m"(*p) : "q"(new) : "memory");
    return old;
}

static long swapped_alone(int *p, long old, long new) {
    asm volatile("cmpxchgl %k2, %1" : "+a"(old), "+m"(*p) : "r"(new) : "memory");
    return old;
}

int main(void) {
    long high = 0x1234567800000000;
    int i = -5;
    signed char c = -6;
    printf("%lx %lx\n", sign_extended(-1), sign_extended(1));
    printf("%lx\n", sign_extended_from_memory(-3, high));
    printf("%lx\n", two_bytes(-2, high));
    printf("%lx\n", all_bytes(-7));
    long r = exchanged(&i, high + 7);
    printf("%lx %d\n", r, i);
    r = swapped(&i, high + 7, -9);
    printf("%lx %d\n", r, i);
    r = swapped(&i, high + 8, 10);
    printf("%lx %d\n", r, i);
    r = swapped_byte(&c, high + 0xfa, 3);
    printf("%lx %d\n", r, c);
    r = swapped_byte(&c, high + 0xfa, 4);
    printf("%lx %d\n", r, c);
    i = -11;
    r = swapped_alone(&i, high, 12);
    printf("%lx %d\n", r, i);
    r = swapped_alone(&i, (high & ~0xffffffffL) | 0xfffffff5, 13);
    printf("%lx %d\n", r, i);
    return 0;
}
