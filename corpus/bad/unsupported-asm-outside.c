// Assembly at file scope.
__asm__(".globl start");
int main(void) { return 0; }
