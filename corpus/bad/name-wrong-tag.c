// A tag used for a struct and for a union.
struct box { int a; };
int main(void) {
    union box b;
    return 0;
}
