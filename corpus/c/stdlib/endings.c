// What runs before main and after it, and in which order.
#include <stdio.h>
#include <stdlib.h>

static int step;

__attribute__((constructor)) static void before(void) { printf("before %d\n", step++); }
static void early(void) __attribute__((constructor(101)));
static void early(void) { printf("early %d\n", step++); }
__attribute__((constructor(102), destructor(102))) static void around(void) { printf("around %d\n", step++); }
__attribute__((destructor)) static void after(void) { printf("after %d\n", step++); }
__attribute__((destructor)) static void after_too(void) { printf("after too %d\n", step++); }

static void first(void) { printf("first %d\n", step++); }
static void second(void) { printf("second %d\n", step++); }

int main(int argc, char **argv) {
    (void)argv;
    printf("main %d %d\n", step++, argc > 0);
    printf("%d\n", atexit(first) + atexit(second));
    if (step > 100)
        return 1;
    exit(step);
}
