// Functions that are called when locals go out of scope, however that happens.
#include <stdio.h>

static void left(int *number) {
    printf("left %d\n", *number);
}

static void freed(char **text) {
    printf("freed %s\n", *text);
}

#define guarded __attribute__((cleanup(left)))

static int returns(int early) {
    int first guarded = 1;
    if (early) return first + 10;
    __attribute__((__cleanup__(freed))) char *text = "text";
    int second guarded = 2, third guarded = 3;
    first = 4;
    return second + third;
}

static int loops(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int inside guarded = 20 + i;
        if (i == 1) continue;
        if (i == 3) break;
        sum += inside;
    }
    for (int head guarded = 30; head < 32; head++) sum += head;
    return sum;
}

static int jumps(int n) {
again:
    {
        int here guarded = 40 + n;
        if (n-- > 0) goto again;
        if (here == 40) goto out;
    }
    return 0;
out:
    return 1;
}

int main(void) {
    printf("%d\n", returns(1));
    printf("%d\n", returns(0));
    printf("%d\n", loops());
    printf("%d\n", jumps(2));
    {
        int last guarded = 50;
    }
    return 0;
}
