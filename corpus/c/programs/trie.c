/* A trie of words with allocation and recursive release. */
#include <stdio.h>
#include <stdlib.h>

struct trie { struct trie *child[26]; unsigned ends : 1, count : 15; };

static int nodes;

static struct trie *fresh(void) {
    nodes++;
    return calloc(1, sizeof(struct trie));
}

static void add(struct trie *t, const char *word) {
    for (; *word; word++) {
        struct trie **next = &t->child[*word - 'a'];
        if (!*next) *next = fresh();
        t = *next;
        t->count++;
    }
    t->ends = 1;
}

static const struct trie *find(const struct trie *t, const char *word) {
    while (t && *word) t = t->child[*word++ - 'a'];
    return t;
}

static void list(const struct trie *t, char *prefix, int length) {
    if (t->ends) printf("%.*s ", length, prefix);
    for (int i = 0; i < 26; i++)
        if (t->child[i]) {
            prefix[length] = (char)('a' + i);
            list(t->child[i], prefix, length + 1);
        }
}

static void release(struct trie *t) {
    if (!t) return;
    for (int i = 0; i < 26; i++) release(t->child[i]);
    free(t);
    nodes--;
}

int main(void) {
    struct trie *root = fresh();
    const char *words[] = { "fence", "fences", "fen", "post", "poster", "pot", "fence" };
    for (int i = 0; i < 7; i++) add(root, words[i]);
    char prefix[16];
    list(root, prefix, 0);
    printf("\n%d %d %d %d\n", nodes, find(root, "fen")->count, find(root, "pos")->ends, find(root, "x") == 0);
    release(root);
    printf("%d\n", nodes);
    return 0;
}
