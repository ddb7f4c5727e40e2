// A pointer to the wrong type.
struct a { int x; };
struct b { int x; };
int main(void) {
    struct a a = {1};
    struct b *p = &a;
    return p->x;
}
