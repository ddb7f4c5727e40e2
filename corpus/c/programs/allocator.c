/* A first-fit allocator in a static arena: casts, alignment, headers before blocks. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct block { size_t size; struct block *next; };

static _Alignas(16) unsigned char arena[512];
static struct block *head;

static void setup(void) {
    head = (struct block *)arena;
    head->size = sizeof arena - sizeof *head;
    head->next = 0;
}

static void *take(size_t n) {
    n = (n + 15) & ~(size_t)15;
    for (struct block **p = &head; *p; p = &(*p)->next) {
        struct block *b = *p;
        if (b->size < n) continue;
        if (b->size >= n + sizeof *b + 16) {
            struct block *rest = (struct block *)((unsigned char *)(b + 1) + n);
            rest->size = b->size - n - sizeof *b;
            rest->next = b->next;
            b->size = n;
            *p = rest;
        } else *p = b->next;
        return b + 1;
    }
    return NULL;
}

static void give(void *p) {
    struct block *b = (struct block *)p - 1, **at = &head;
    while (*at && *at < b) at = &(*at)->next;
    b->next = *at;
    *at = b;
    if (b->next && (unsigned char *)(b + 1) + b->size == (unsigned char *)b->next) {
        b->size += sizeof *b + b->next->size;
        b->next = b->next->next;
    }
}

static int blocks(void) {
    int n = 0;
    for (struct block *b = head; b; b = b->next) n++;
    return n;
}

int main(void) {
    setup();
    char *a = take(20), *b = take(50), *c = take(100);
    printf("%td %td %d\n", b - a, c - b, (int)((uintptr_t)c % 16));
    give(b);
    printf("%d\n", blocks());
    char *d = take(30);
    printf("%d\n", d == b);
    give(c);
    give(d);
    give(a);
    printf("%d %zu\n", blocks(), head->size);
    printf("%d\n", take(1000) == 0);
    return 0;
}
