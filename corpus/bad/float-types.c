// What cannot be done with floats: other formats, operators of integers, pointers.
long double mean(int a, int b) { return (a + b) / 2.0; }
int main(void) {
    float x = 1.5f % 2;
    double y = 0x1.8;
    void *p = (void *)0.5;
    return (x | 1) + 1.0L + ~y + (p != 0);
}
