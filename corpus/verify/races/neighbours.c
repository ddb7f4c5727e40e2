// Two threads write neighbouring elements of an array of characters, and members of a struct.
//@ all: holds: different memory locations do not conflict, however near they are
#include <assert.h>
#include <pthread.h>

static char letters[2];
static struct {
    short left, right;
} pair;

static void *first(void *unused) {
    letters[0] = 'a';
    pair.left = 1;
    return unused;
}

static void *second(void *unused) {
    letters[1] = 'b';
    pair.right = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(letters[0] == 'a' && letters[1] == 'b');
    assert(pair.left == 1 && pair.right == 2);
    return 0;
}
