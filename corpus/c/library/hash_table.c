/* A hash table with chaining, in the style of real programs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 8

struct entry {
    struct entry *next;
    uint32_t hash;
    int value;
    char key[];
};

struct map { struct entry *buckets[BUCKETS]; size_t count; };

static uint32_t hash(const char *s) {
    uint32_t h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h;
}

static struct entry **find(struct map *m, const char *key) {
    uint32_t h = hash(key);
    struct entry **e = &m->buckets[h % BUCKETS];
    while (*e && ((*e)->hash != h || strcmp((*e)->key, key) != 0)) e = &(*e)->next;
    return e;
}

static void set(struct map *m, const char *key, int value) {
    struct entry **e = find(m, key);
    if (!*e) {
        size_t n = strlen(key) + 1;
        *e = malloc(sizeof **e + n);
        (*e)->next = 0;
        (*e)->hash = hash(key);
        memcpy((*e)->key, key, n);
        m->count++;
    }
    (*e)->value = value;
}

static int get(struct map *m, const char *key) {
    struct entry *e = *find(m, key);
    return e ? e->value : -1;
}

static void erase(struct map *m, const char *key) {
    struct entry **e = find(m, key), *dead = *e;
    if (dead) {
        *e = dead->next;
        free(dead);
        m->count--;
    }
}

int main(void) {
    struct map m = { 0 };
    char key[16];
    for (int i = 0; i < 40; i++) {
        snprintf(key, sizeof key, "key%d", i);
        set(&m, key, i * i);
    }
    set(&m, "key7", 777);
    erase(&m, "key8");
    erase(&m, "missing");
    printf("%zu %d %d %d %d\n", m.count, get(&m, "key7"), get(&m, "key8"), get(&m, "key39"), get(&m, "x"));
    int lengths = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *e = m.buckets[i]; e; e = e->next) lengths += i;
    printf("%d %08x\n", lengths, hash("key7"));
    for (int i = 0; i < 40; i++) {
        snprintf(key, sizeof key, "key%d", i);
        erase(&m, key);
    }
    printf("%zu\n", m.count);
    return 0;
}
