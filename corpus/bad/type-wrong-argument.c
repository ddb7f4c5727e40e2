// A struct given where a number is wanted.
struct pair { int a, b; };
int twice(int x) { return 2 * x; }
int main(void) {
    struct pair p = {1, 2};
    return twice(p);
}
