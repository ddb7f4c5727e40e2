/* Object-like macros: nesting, rescanning, self reference, redefinition after #undef. */
#include <stdio.h>

#define ONE 1
#define TWO (ONE + ONE)
#define FOUR (TWO * TWO)
#define EMPTY
#define TEXT "text"
#define COMMA ,
#define LPAREN (
#define SPLICED 1 + \
    2 + \
    3

static int self = 4, pong = 5;
#define self (self + 1)
#define ping pong
#define pong ping

int main(void) {
    printf("%d %d %d\n", ONE, TWO, FOUR);
    printf("%d %d\n", self, pong);
    printf("%d\n", EMPTY 3 EMPTY + EMPTY 4 EMPTY);
    printf("%s" EMPTY "%s\n", TEXT TEXT, "!");
    printf("%d %d\n" COMMA 1 COMMA 2);
    printf("%d\n", 2 * LPAREN SPLICED));
#undef ONE
#define ONE 10
    printf("%d %d\n", ONE, TWO);
#undef NEVER_DEFINED
#define ONE 10
    printf("%d\n", ONE);
    return 0;
}
