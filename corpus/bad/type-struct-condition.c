// A struct is neither true nor false.
struct flag { int set; };
int main(void) {
    struct flag f = {1};
    if (f) return 1;
    return 0;
}
