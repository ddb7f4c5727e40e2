/* Variable-length arrays: their sizes, in loops, as arguments; alloca. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int total(int count, int values[count]) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += values[i];
    return sum;
}

static int of_length(int length) {
    int values[length];
    for (int i = 0; i < length; i++) values[i] = i * i;
    if (length > 3) return values[3] + (int)sizeof values;
    return total(length, values);
}

static char *copied(const char *text, char *to) {
    char *room = alloca(strlen(text) + 1);
    strcpy(room, text);
    room[0] = '>';
    return strcpy(to, room);
}

int main(void) {
    int count = 2;
    count++;
    long numbers[count];
    struct pair { char a; int b; } pairs[count * 2];
    numbers[count - 1] = 7;
    pairs[5].b = 9;
    printf("%zu %zu %ld %d\n", sizeof numbers, sizeof pairs, numbers[2], pairs[5].b);
    printf("%d %d %d\n", of_length(1), of_length(3), of_length(5));
    int sum = 0;
    for (int i = 1; i < 5; i++) {
        char bytes[i];
        memset(bytes, i, sizeof bytes);
        sum += bytes[i - 1] * (int)sizeof bytes;
    }
    printf("%d\n", sum);
    char to[8];
    printf("%s\n", copied("-text", to));
    int *rows[count];
    for (int i = 0; i < count; i++) rows[i] = &count;
    printf("%d\n", *rows[1]);
    return 0;
}
