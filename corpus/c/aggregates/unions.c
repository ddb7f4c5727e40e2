/* Unions: size, sharing of storage, initialisation, punning. */
#include <stdint.h>
#include <stdio.h>

union word {
    uint32_t whole;
    uint16_t halves[2];
    uint8_t bytes[4];
    struct { uint8_t low; uint8_t rest[3]; } parts;
};

union mixed {
    char c;
    long l;
    struct { int a, b, c; } s;
};

struct tagged {
    enum { NUMBER, TEXT } kind;
    union { long number; const char *text; };
};

static void print(struct tagged t) {
    switch (t.kind) {
    case NUMBER: printf("%ld\n", t.number); break;
    case TEXT: printf("%s\n", t.text); break;
    }
}

int main(void) {
    union word w = { 0x12345678 };
    printf("%x %x %x %x\n", w.halves[0], w.halves[1], w.bytes[0], w.bytes[3]);
    w.bytes[1] = 0xff;
    printf("%x\n", w.whole);
    w.halves[1]++;
    printf("%x %x\n", w.whole, w.parts.rest[2]);
    printf("%zu %zu %zu\n", sizeof w, sizeof(union mixed), _Alignof(union mixed));
    union mixed m = { .s = { 1, 2, 3 } };
    printf("%lx\n", m.l);
    m.c = 9;
    printf("%d %d\n", m.s.a, m.s.b);
    union mixed copy = m;
    copy.s.c = 30;
    printf("%d %d\n", m.s.c, copy.s.c);
    print((struct tagged){ NUMBER, { 42 } });
    print((struct tagged){ TEXT, .text = "text" });
    union { int i; unsigned u; } sign = { -1 };
    printf("%u\n", sign.u);
    union word *p = &w;
    p->whole = 0;
    p->bytes[2] = 1;
    printf("%u\n", w.whole);
    return 0;
}
