/* packed, aligned and _Alignas: sizes, offsets and accesses. */
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) packed { char c; int i; short s; long l; };
struct partly { char c; int i __attribute__((packed)); short s; };
struct __attribute__((aligned(32))) wide { char c; };
struct member { char c; int i __attribute__((aligned(16))); char d; };
struct __attribute__((packed, aligned(4))) mixed { char c; long l; short s; };
struct line { alignas(64) int head; alignas(64) int tail; };
struct holder { char c; struct packed p; };
typedef int aligned_int __attribute__((aligned(8)));
struct uses { char c; aligned_int i; };
#pragma pack(push, 2)
struct two { char c; int i; char d; long l; };
#pragma pack(pop)
struct after { char c; int i; };
union __attribute__((packed)) pun { char c[5]; int i; };

#define SIZE(t) printf(#t " %zu %zu\n", sizeof(t), _Alignof(t))

static alignas(128) char buffer[3];
static int __attribute__((aligned(64))) counter = 7;

int main(void) {
    SIZE(struct packed);
    printf("%zu %zu %zu\n", offsetof(struct packed, i), offsetof(struct packed, s), offsetof(struct packed, l));
    SIZE(struct partly);
    printf("%zu %zu\n", offsetof(struct partly, i), offsetof(struct partly, s));
    SIZE(struct wide);
    SIZE(struct member);
    printf("%zu %zu\n", offsetof(struct member, i), offsetof(struct member, d));
    SIZE(struct mixed);
    printf("%zu %zu\n", offsetof(struct mixed, l), offsetof(struct mixed, s));
    SIZE(struct line);
    printf("%zu\n", offsetof(struct line, tail));
    SIZE(struct holder);
    SIZE(struct uses);
    printf("%zu\n", offsetof(struct uses, i));
    SIZE(struct two);
    printf("%zu %zu\n", offsetof(struct two, i), offsetof(struct two, l));
    SIZE(struct after);
    SIZE(union pun);
    printf("%d %d\n", (int)((uintptr_t)buffer % 128), (int)((uintptr_t)&counter % 64));
    struct packed p = { 1, 0x01020304, 5, -6 };
    p.i += 1;
    p.l *= 2;
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    for (unsigned i = 0; i < sizeof p; i++) printf("%02x ", bytes[i]);
    printf("\n");
    struct packed array[2] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    printf("%d %ld %zu\n", array[1].i, array[1].l, sizeof array);
    alignas(long) char local[sizeof(long)];
    printf("%d %zu\n", (int)((uintptr_t)local % 8), alignof(long));
    return 0;
}
