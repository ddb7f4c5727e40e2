/* X macros: one list, many uses. */
#include <stdio.h>
#include <string.h>

#define COLOURS(X) X(RED, 0xff0000) X(GREEN, 0x00ff00) X(BLUE, 0x0000ff)

#define AS_ENUM(name, value) name,
#define AS_NAME(name, value) [name] = #name,
#define AS_VALUE(name, value) case name: return value;
#define AS_COUNT(name, value) + 1
#define AS_FIELD(name, value) int name##_count;

enum colour { COLOURS(AS_ENUM) COLOUR_COUNT };
static const char *const names[] = { COLOURS(AS_NAME) };
struct counts { COLOURS(AS_FIELD) };

static int value(enum colour c) {
    switch (c) {
        COLOURS(AS_VALUE)
    default: return -1;
    }
}

#define REPEAT2(m) m m
#define REPEAT4(m) REPEAT2(m) REPEAT2(m)
#define REPEAT16(m) REPEAT4(REPEAT4(m))
#define EVAL(...) EVAL1(EVAL1(EVAL1(__VA_ARGS__)))
#define EVAL1(...) __VA_ARGS__
#define DEFER(m) m EMPTY()
#define EMPTY()
#define INDIRECT() LOOP_
#define LOOP_(n) n DEFER(INDIRECT)()(n)

int main(void) {
    for (int c = 0; c < COLOUR_COUNT; c++) printf("%s %06x\n", names[c], value(c));
    printf("%d %zu\n", 0 COLOURS(AS_COUNT), sizeof(struct counts));
    int n = 0;
    REPEAT16(n++;)
    printf("%d\n", n);
    return 0;
}
