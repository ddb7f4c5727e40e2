/* Static initialisers: addresses, arithmetic on them, strings, functions, nested aggregates. */
#include <stdio.h>
#include <stdint.h>

struct node {
    const char *name;
    int (*act)(int);
    struct node *next;
    int *slot;
    struct { short s[3]; unsigned char c; } in;
};

static int twice(int x) { return x * 2; }
static int square(int x) { return x * x; }

static int numbers[4] = { 1, 2, 3, 4 };
static struct node second;
static struct node first = { "first", twice, &second, &numbers[1], { { 1, 2 }, 'c' } };
static struct node second = { .name = "second" + 3, .act = &square, .slot = numbers + 3 };
static int *const middle = &first.next - &first.next + &numbers[2];
static const char *names[] = { "a", [3] = "d" };
static char (*text)[6] = &"array";
static uintptr_t number = (uintptr_t)&numbers[0];
static short *inner = &first.in.s[1];
static int zero[100];
static const int table[][2] = { { 1, 10 }, { 2, 20 }, { 3, 30 } };
static void *generic = &second;
static long sum = 3 * 7L - (1 << 4);
static unsigned char bytes[] = { 1, 255, (unsigned char)-1, 'x' };

int main(void) {
    printf("%s %d %d %s\n", first.name, first.act(5), *first.slot, first.next->name);
    printf("%d %d %d %c\n", second.act(5), *second.slot, first.in.s[1], first.in.c);
    printf("%d %d %d %s\n", *middle, names[1] == 0, names[2] == 0, names[3]);
    printf("%s %d %d\n", *text, *(int *)number, *inner);
    printf("%d %d\n", zero[0], zero[99]);
    printf("%zu %d\n", sizeof table / sizeof *table, table[2][1]);
    printf("%d %ld %d %d\n", generic == &second, sum, bytes[1], bytes[2]);
    return 0;
}
