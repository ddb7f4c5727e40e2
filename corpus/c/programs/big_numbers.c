/* Numbers of any length: factorials and Fibonacci numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number { int count; uint32_t limbs[20]; };

static void multiply(struct number *n, uint32_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limbs[i] * by;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) n->limbs[n->count++] = (uint32_t)carry;
}

static struct number add(struct number a, struct number b) {
    if (a.count < b.count) return add(b, a);
    uint64_t carry = 0;
    for (int i = 0; i < a.count; i++) {
        carry += (uint64_t)a.limbs[i] + (i < b.count ? b.limbs[i] : 0);
        a.limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) a.limbs[a.count++] = (uint32_t)carry;
    return a;
}

static uint32_t divide(struct number *n, uint32_t by) {
    uint64_t rest = 0;
    for (int i = n->count; i-- > 0;) {
        rest = rest << 32 | n->limbs[i];
        n->limbs[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    while (n->count > 1 && n->limbs[n->count - 1] == 0) n->count--;
    return (uint32_t)rest;
}

static void print(struct number n) {
    char text[256];
    int at = sizeof text - 1;
    text[at] = 0;
    do text[--at] = (char)('0' + divide(&n, 10));
    while (n.count > 1 || n.limbs[0]);
    printf("%s\n", text + at);
}

int main(void) {
    struct number f = { 1, { 1 } };
    for (int i = 2; i <= 50; i++) multiply(&f, (uint32_t)i);
    print(f);
    struct number a = { 1, { 0 } }, b = { 1, { 1 } };
    for (int i = 0; i < 300; i++) {
        struct number c = add(a, b);
        a = b;
        b = c;
    }
    print(a);
    return 0;
}
