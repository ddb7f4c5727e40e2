/* Pragmas that change layout, macros or nothing. */
#include <stdio.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused"
#pragma STDC FP_CONTRACT OFF

#pragma pack(1)
struct a { char c; int i; };
#pragma pack()
struct b { char c; int i; };
#pragma pack(push)
#pragma pack(2)
struct c { char c; int i; };
#pragma pack(push, 4)
struct d { char c; long l; };
#pragma pack(pop)
struct e { char c; long l; };
#pragma pack(pop)
struct f { char c; long l; };
_Pragma("pack(1)") struct g { char c; long l; };
_Pragma("pack()")
#define PACKED(n) _Pragma(#n)
PACKED(pack(push, 2))
struct h { char c; long l; };
PACKED(pack(pop))

#define VALUE 1
#pragma push_macro("VALUE")
#undef VALUE
#define VALUE 2
static int inner = VALUE;
#pragma pop_macro("VALUE")
#pragma GCC diagnostic pop

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d));
    printf("%zu %zu %zu %zu\n", sizeof(struct e), sizeof(struct f), sizeof(struct g), sizeof(struct h));
    printf("%d %d\n", inner, VALUE);
    return 0;
}
