/* Static arrays of which only a few places are not zero. */
#include <stdio.h>

static char text[100000] = "begin";
static int values[200000] = { 1, [9] = 2, 3, [15 ... 16] = 4, [199999] = 5 };
static const char *names[3000] = { [0] = text, [7] = "seven", [2999] = text + 2 };
static struct { char tag[20]; int *at; unsigned low : 3, high : 13; } mixed[70] = {
    [1] = { "one", values + 9, 5, 77 },
    [1].tag = "uno",
    [69] = { .at = values, .high = 8191 },
    [69].at = 0,
};
static char overwritten[12] = { [9] = 'x' };
static struct { char inner[12]; } replaced = { .inner = { [9] = 'x' }, .inner = "short" };

static long sum(void) {
    long sum = 0;
    for (int i = 0; i < 200000; i++)
        sum += (long)i * values[i];
    return sum;
}

int main(void) {
    printf("%s %d %d %ld\n", text, text[5], text[99999], sum());
    int set = 0;
    for (int i = 0; i < 3000; i++)
        set += names[i] != 0;
    printf("%d %s %s %s\n", set, names[0], names[7], names[2999]);
    printf("%s %d %d %d\n", mixed[1].tag, *mixed[1].at, mixed[1].low, mixed[1].high);
    printf("%d %d %d\n", mixed[69].at == 0, mixed[69].low, mixed[69].high);
    printf("%c %d %s %d\n", overwritten[9], overwritten[8], replaced.inner, replaced.inner[9]);
    return 0;
}
