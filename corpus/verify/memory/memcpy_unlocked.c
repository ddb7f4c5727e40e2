// A struct is copied with memcpy while another thread reads two of its members.
//@ sc tso: assert fails: a copy is not one access, so the reader may see half of it
//@ pso relaxed armv8 power riscv: assert fails: as under sequential consistency
//@ rc11: assert fails, race fails: nothing orders the copy and the reads
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    int first;
    char between[4];
    int second;
};

static struct pair shared;

static void *write(void *argument) {
    struct pair own = { 1, "abc", 1 };
    memcpy(&shared, &own, sizeof own);
    return argument;
}

static void *read(void *argument) {
    int second = shared.second, first = shared.first;
    assert(first == second);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write, NULL);
    pthread_create(&b, NULL, read, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
