// Jumps into loops: by `goto`, and by the cases of a `switch` (Duff's device).
#include <stdio.h>

static int copied(char *to, const char *from, int count) {
    int rounds = (count + 3) / 4, steps = 0;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
            steps++;
            /* fall through */
    case 3:
            *to++ = *from++;
            steps++;
            /* fall through */
    case 2:
            *to++ = *from++;
            steps++;
            /* fall through */
    case 1:
            *to++ = *from++;
            steps++;
        } while (--rounds > 0);
    }
    return steps;
}

static int middle(int n, int start) {
    int sum = 0;
    if (start) goto inside;
    while (n > 0) {
        sum += 10;
    inside:
        sum += n--;
    }
    return sum;
}

static int both(int i, int j, int start) {
    int sum = 0;
    if (start == 1) goto inner;
    if (start == 2) goto outer;
    for (; i < 3; i++) {
        sum += 100;
        for (; j < 2; j++) {
        inner:
            sum += 1;
        }
    outer:
        j = 0;
        sum += 10;
    }
    return sum;
}

int main(void) {
    for (int count = 1; count < 10; count++) {
        char to[12] = "...........";
        int steps = copied(to, "abcdefghijk", count);
        printf("%d %s\n", steps, to);
    }
    for (int n = 0; n < 4; n++) printf("%d %d\n", middle(n, 0), middle(n, 1));
    for (int start = 0; start < 3; start++) printf("%d\n", both(1, 0, start));
    return 0;
}
