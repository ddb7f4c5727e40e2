// Assembly that is not a barrier.
int main(void) {
    int x = 1, y = 2;
    __asm__ volatile("xchgl %0, %1" : "+r"(x), "+r"(y));
    return x;
}
