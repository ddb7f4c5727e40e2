// Labels as values: tables of them, differences of them, loops that they make.
#include <stdio.h>

enum { PUSH, ADD, DUP, JUMP_IF, DEC, HALT };

static int interpret(const int *code) {
    static const void *const table[] = {&&push, &&add, &&dup, &&jump_if, &&dec, &&halt};
    int stack[8], top = 0;
    const int *pc = code;
#define NEXT goto *table[*pc++]
    NEXT;
push:
    stack[top++] = *pc++;
    NEXT;
add:
    top--;
    stack[top - 1] += stack[top];
    NEXT;
dup:
    stack[top] = stack[top - 1];
    top++;
    NEXT;
jump_if:
    if (stack[--top]) {
        pc = code + *pc;
        NEXT;
    }
    pc++;
    NEXT;
dec:
    stack[top - 1]--;
    NEXT;
halt:
    return stack[top - 1];
}

static int offsets(int which) {
    static const int at[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero};
    goto *(&&zero + at[which]);
zero:
    return 10;
one:
    which += 100;
two:
    return which;
}

static int falls(int n) {
    void *next = &&again;
    int rounds = 0;
again:
    rounds++;
    if (n-- > 0)
        goto *next;
    next = &&done;
    if (rounds < 10) {
        n = 2;
        rounds = 10;
        goto again;
    }
    goto *next;
done:
    return rounds;
}

static int forward(int which) {
    void *to = which ? &&a : &&b;
    if (to == &&a && to != 0)
        printf("a ");
    goto *to;
a:
    printf("at a\n");
    return 1;
b:
    printf("at b\n");
    return 2;
}

int main(void) {
    int code[] = {PUSH, 5, PUSH, 3, DEC, DUP, JUMP_IF, 4, ADD, PUSH, 7, ADD, HALT};
    printf("%d\n", interpret(code));
    printf("%d %d %d\n", offsets(0), offsets(1), offsets(2));
    printf("%d %d\n", falls(3), falls(12));
    int r = forward(1);
    return r + forward(0);
}
