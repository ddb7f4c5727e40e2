// Assembly with an instruction that is not known.
int main(void) {
    int x = 1, y = 2;
    __asm__ volatile("xchgl %0, %1\n\tjc 1f" : "+r"(x), "+r"(y));
    return x;
}
