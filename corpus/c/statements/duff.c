/* Cases inside loops that are entered only through their top: an unrolled copy and a scanner. */
#include <stdio.h>

static int copy(char *to, const char *from, int count) {
    int rounds = 0;
    while (count > 0) {
        rounds++;
        switch (count >= 4 ? 4 : count) {
        case 4: *to++ = *from++; count--;
        case 3: *to++ = *from++; count--;
        case 2: *to++ = *from++; count--;
        case 1: *to++ = *from++; count--;
        }
    }
    *to = 0;
    return rounds;
}

static int words(const char *s) {
    enum { OUT, IN } state = OUT;
    int count = 0;
    for (; *s; s++)
        switch (state) {
        case OUT:
            if (*s == ' ') break;
            state = IN;
            count++;
            break;
        case IN:
            if (*s != ' ') continue;
            state = OUT;
        }
    return count;
}

int main(void) {
    char buffer[32];
    int rounds = copy(buffer, "hello, unrolled", 15);
    printf("%s %d\n", buffer, rounds);
    rounds = copy(buffer, "abc", 3);
    printf("%s %d\n", buffer, rounds);
    printf("%d %d %d\n", words("one two  three "), words(""), words("   "));
    return 0;
}
