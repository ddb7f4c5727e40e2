// The address of what has none.
struct s { int bits : 3; };
int main(void) {
    register int r = 1;
    struct s s = {1};
    int *p = &r;
    int *q = &s.bits;
    return *p + *q + *&1;
}
