/* A byte-code machine with a dispatch switch. */
#include <stdint.h>
#include <stdio.h>

enum op { PUSH, ADD, MUL, SUB, DUP, SWAP, OVER, JZ, JMP, PRINT, CALL, RET, HALT };

struct machine { int32_t stack[32]; int sp; int calls[8]; int cp; long steps; };

static int run(const int8_t *code, struct machine *m) {
#define POP (m->stack[--m->sp])
#define PUSH_(v) (m->stack[m->sp++] = (v))
    for (int pc = 0;;) {
        m->steps++;
        int32_t a, b;
        switch ((enum op)code[pc++]) {
        case PUSH: PUSH_(code[pc++]); break;
        case ADD: b = POP; a = POP; PUSH_(a + b); break;
        case MUL: b = POP; a = POP; PUSH_(a * b); break;
        case SUB: b = POP; a = POP; PUSH_(a - b); break;
        case DUP: a = POP; PUSH_(a); PUSH_(a); break;
        case SWAP: b = POP; a = POP; PUSH_(b); PUSH_(a); break;
        case OVER: a = m->stack[m->sp - 2]; PUSH_(a); break;
        case JZ: a = POP; pc = a ? pc + 1 : code[pc]; break;
        case JMP: pc = code[pc]; break;
        case PRINT: printf("%d\n", POP); break;
        case CALL: m->calls[m->cp++] = pc + 1; pc = code[pc]; break;
        case RET: pc = m->calls[--m->cp]; break;
        case HALT: return m->sp;
        default: return -1;
        }
    }
}

int main(void) {
    static const int8_t sum[] = {
        PUSH, 0, PUSH, 100,
        DUP, JZ, 20,
        SWAP, OVER, ADD, SWAP, PUSH, 1, SUB, JMP, 4, HALT, HALT, HALT, HALT,
        SWAP, PRINT, HALT,
    };
    struct machine m = { .sp = 0 };
    int left = run(sum, &m);
    printf("%d %ld\n", left, m.steps);
    static const int8_t bad[] = { PUSH, 3, 99 };
    m = (struct machine){ 0 };
    printf("%d\n", run(bad, &m));
    return 0;
}
