// The address of what has none.
struct s { int bits : 3; };
int main(void) {
    struct s s = {1};
    int *q = &s.bits;
    return *q + *&1;
}
