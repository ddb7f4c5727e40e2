/* memset and memcpy of variable-length arrays, of atomic members and of what has qualifiers. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct pair {
    int key, value;
};

struct mixed {
    _Atomic(struct pair) both;
    volatile short half;
    atomic_int count;
    int (*function)(void);
};

static int seven(void) { return 7; }

static int use(int n) {
    char letters[n];
    int numbers[n];
    memset(letters, 'a', sizeof letters);
    memset(numbers, 0xff, sizeof numbers);
    memset(numbers, 0, (n - 1) * sizeof *numbers);
    return letters[n - 1] + numbers[0] + numbers[n - 1];
}

int main(void) {
    struct mixed one, two, three;
    memset(&one, 0, sizeof one);
    struct pair pair = { 1, 2 };
    one.both = pair;
    one.half = -3;
    atomic_fetch_add(&one.count, 4);
    one.function = seven;
    memcpy(&two, (const void *)&one, sizeof two);
    three = two;
    pair = three.both;
    printf("%d %d %d %d %d\n", pair.key, pair.value, three.half, three.count, three.function());
    printf("%d\n", memcmp(&one.count, &three.count, sizeof one.count));
    _Atomic(struct pair) copies[3];
    memcpy(copies, &one.both, sizeof *copies);
    memcpy(&copies[1], copies, sizeof *copies);
    pair = copies[1];
    printf("%d %d\n", pair.key, pair.value);
    volatile int flags[3] = { 1, 2, 3 };
    memmove((void *)flags, (const void *)(flags + 1), 2 * sizeof *flags);
    printf("%d %d %d\n", flags[0], flags[1], flags[2]);
    printf("%d\n", use(5));
    return 0;
}
