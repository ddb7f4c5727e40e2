// Jumps between functions.
#include <setjmp.h>
jmp_buf env;
int main(void) {
    int again = setjmp(env);
    longjmp(env, again + 1);
}
