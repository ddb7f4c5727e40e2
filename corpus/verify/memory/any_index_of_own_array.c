// An index that may be anything, checked before use, into arrays that main fills by itself.
//@ all: holds: every index that is used is smaller than the array, and one element is written
#include <assert.h>
#include <stdlib.h>

struct pair {
    int key;
    int value;
    int used;
};

extern unsigned __VERIFIER_nondet_uint(void);

static int table[8];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n >= 8) return 0;
    table[n] = 1;
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += table[i];
    assert(sum == 1);
    struct pair *pairs = calloc(8, sizeof *pairs);
    pairs[n].value = 7;
    assert(pairs[n].key == 0 && pairs[n].value == 7);
    assert(pairs[(n + 1) % 8].value == 0);
    free(pairs);
    return 0;
}
