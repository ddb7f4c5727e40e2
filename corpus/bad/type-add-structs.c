// Structs cannot be added.
struct v { int x, y; };
int main(void) {
    struct v a = {1, 2}, b = {3, 4};
    a = a + b;
    return a.x;
}
