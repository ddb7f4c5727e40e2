// What cannot be done with floats: operators of integers, pointers.
int main(void) {
    float x = 1.5f % 2;
    double y = 0x1.8;
    void *p = (void *)0.5;
    return (x | 1) + ~y + (p != 0);
}
