/* Flexible array members. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned short length;
    unsigned char kind;
    unsigned char data[];
};

struct table {
    int count;
    struct { long key; int value; } rows[];
};

struct old {
    char n;
    int items[0];
};

int main(void) {
    printf("%zu %zu\n", sizeof(struct packet), offsetof(struct packet, data));
    printf("%zu %zu\n", sizeof(struct table), offsetof(struct table, rows));
    printf("%zu %zu\n", sizeof(struct old), offsetof(struct old, items));
    struct packet *p = malloc(sizeof *p + 10);
    p->length = 10;
    p->kind = 3;
    memcpy(p->data, "flexible!", 10);
    printf("%d %d %s %c\n", p->length, p->kind, p->data, p->data[3]);
    struct table *t = calloc(1, sizeof *t + 3 * sizeof t->rows[0]);
    t->count = 3;
    for (int i = 0; i < t->count; i++) {
        t->rows[i].key = i * 100L;
        t->rows[i].value = -i;
    }
    long sum = 0;
    for (int i = 0; i < t->count; i++) sum += t->rows[i].key + t->rows[i].value;
    printf("%ld\n", sum);
    struct packet head = *p;
    printf("%d\n", head.length);
    free(p);
    free(t);
    return 0;
}
