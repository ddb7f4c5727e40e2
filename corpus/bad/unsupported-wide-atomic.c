// An atomic object of more than 16 bytes.
struct wide { long a, b, c; };
_Atomic struct wide w;
int main(void) {
    struct wide v = w;
    return (int)v.a;
}
