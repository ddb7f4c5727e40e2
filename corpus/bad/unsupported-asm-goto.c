// Assembly that jumps, and assembly at file scope.
__asm__(".globl start");
int main(void) {
    __asm__ goto("jmp %l0" : : : : out);
    return 1;
out:
    return 0;
}
