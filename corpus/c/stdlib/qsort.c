/* qsort orders numbers, strings and structs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char name;
    short key;
    char rest[5];
};

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_key(const void *a, const void *b) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

int main(void) {
    int numbers[] = { 5, -2, 9, 0, 5, 3, -8, 1 };
    const char *words[] = { "pear", "fig", "apple", "plum", "date" };
    struct pair pairs[] = { { 'a', 3, "a" }, { 'b', 1, "bb" }, { 'c', 2, "ccc" } };
    qsort(numbers, 8, sizeof numbers[0], by_value);
    qsort(words, 5, sizeof words[0], by_text);
    qsort(pairs, 3, sizeof pairs[0], by_key);
    qsort(numbers, 0, sizeof numbers[0], by_value);
    for (int i = 0; i < 8; i++) printf("%d ", numbers[i]);
    printf("\n");
    for (int i = 0; i < 5; i++) printf("%s ", words[i]);
    printf("\n");
    for (int i = 0; i < 3; i++) printf("%c%s ", pairs[i].name, pairs[i].rest);
    printf("\n");
    return 0;
}
