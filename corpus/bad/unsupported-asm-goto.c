// Assembly that jumps.
int main(void) {
    __asm__ goto("jmp %l0" : : : : out);
    return 1;
out:
    return 0;
}
