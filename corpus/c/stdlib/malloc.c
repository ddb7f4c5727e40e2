/* Blocks are separate, aligned, and can be freed in any order; free(NULL) does nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

int main(void) {
    struct item *list = NULL;
    int misaligned = 0;
    for (int i = 0; i < 10; i++) {
        struct item *item = malloc(sizeof *item);
        misaligned += (uintptr_t)item % 16 != 0;
        item->value = i * i;
        item->next = list;
        list = item;
    }
    int sum = 0;
    while (list) {
        struct item *next = list->next;
        sum += list->value;
        free(list);
        list = next;
    }
    free(NULL);
    printf("%d %d\n", sum, misaligned);
    char *none = malloc(0);
    free(none);
    return 0;
}
