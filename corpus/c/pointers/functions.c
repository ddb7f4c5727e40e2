/* Function pointers: calls, tables, arguments, results, comparisons. */
#include <stdio.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static operation choose(char c) {
    return c == '+' ? add : c == '-' ? &subtract : multiply;
}

static int apply(int f(int, int), int a, int b) { return f(a, b); }

static int (*nested(int which))(int, int) { return which ? subtract : add; }

struct command {
    const char *name;
    operation run;
};

static const struct command commands[] = { { "add", add }, { "sub", subtract }, { "mul", multiply } };

static void hello(void) { printf("hello\n"); }

int main(void) {
    operation f = add;
    printf("%d %d %d\n", f(1, 2), (*f)(3, 4), (**f)(5, 6));
    f = &multiply;
    printf("%d\n", f(6, 7));
    printf("%d %d\n", choose('+')(1, 2), choose('-')(1, 2));
    printf("%d %d\n", apply(add, 3, 4), apply(&subtract, 3, 4));
    printf("%d\n", nested(1)(9, 4));
    for (int i = 0; i < 3; i++) printf("%s %d\n", commands[i].name, commands[i].run(8, 2));
    void (*say)(void) = hello;
    say();
    (say ?: 0)();
    printf("%d %d %d\n", f == multiply, f != add, !f);
    f = 0;
    printf("%d\n", f == 0);
    operation table[2][2] = { { add, subtract }, { multiply, add } };
    printf("%d %d\n", table[0][1](5, 3), table[1][0](5, 3));
    printf("%d\n", (1 ? add : subtract)(2, 2));
    return 0;
}
