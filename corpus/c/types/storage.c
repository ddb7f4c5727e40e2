/* Storage classes: file scope, block scope, extern, register, tentative definitions. */
#include <stdio.h>

int tentative;
int tentative;
int tentative = 4;
extern int later;
static int hidden = 1;
static int forward(int);

static int *address(void) {
    static int kept = 100;
    return &kept;
}

static int counting(void) {
    static int n;
    static const int steps[] = { 1, 10, 100 };
    return n += steps[n % 3];
}

static int shadow = 1;

int main(void) {
    extern int tentative;
    register int fast = 2;
    auto int automatic = 3;
    printf("%d %d %d %d %d\n", tentative, later, hidden, fast, automatic);
    ++*address();
    printf("%d\n", ++*address());
    for (int i = 0; i < 5; i++) printf("%d ", counting());
    printf("\n");
    int shadow = 2;
    {
        int shadow = 3;
        {
            extern int later;
            static int shadow = 4;
            shadow++;
            printf("%d %d\n", shadow, later);
        }
        printf("%d\n", shadow);
    }
    printf("%d\n", shadow);
    for (int shadow = 9; shadow < 10; shadow++) printf("%d\n", shadow);
    printf("%d %d\n", shadow, forward(6));
    return 0;
}

int later = 8;
static int forward(int x) { return x * shadow; }
