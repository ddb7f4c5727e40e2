/* #pragma pack bounds even the alignment that a member asks for; a zero-width field it does not. */
#include <stddef.h>
#include <stdio.h>

#pragma pack(push, 1)
struct a { char c; int i __attribute__((aligned(16))); char d; };
union b { char c; long l __attribute__((aligned(32))); };
struct c { char c; struct { char d; int i __attribute__((aligned(8))); }; };
struct d { char c; int : 0; char d; };
#pragma pack(2)
struct e { char c; long l __attribute__((aligned(4))); int b : 3; };
struct __attribute__((packed, aligned(4))) f { int i : 24; long l __attribute__((aligned(32))); };
struct g { _Alignas(8) char c; short s : 9, t : 9; };
#pragma pack(pop)
struct __attribute__((packed)) h { char c; int i __attribute__((aligned(16))); char d; };
struct __attribute__((packed)) i { char c; struct a a; long l : 33; };

#define SIZE(t) printf(#t " %zu %zu\n", sizeof(t), _Alignof(t))

int main(void) {
    SIZE(struct a);
    SIZE(union b);
    SIZE(struct c);
    SIZE(struct d);
    SIZE(struct e);
    SIZE(struct f);
    SIZE(struct g);
    SIZE(struct h);
    SIZE(struct i);
    printf("%zu %zu %zu\n", offsetof(struct a, i), offsetof(struct c, i), offsetof(struct d, d));
    printf("%zu %zu %zu %zu\n", offsetof(struct e, l), offsetof(struct f, l), offsetof(struct h, i), offsetof(struct i, a));
    return 0;
}
