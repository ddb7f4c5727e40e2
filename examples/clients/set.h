/* A client for a set of ints. The file that includes it has defined set_t, set_init(s),
   set_add(s, key), set_remove(s, key) and set_contains(s, key), which say whether they changed
   the set or found the key.

   Three threads add, remove and look up the keys 1 and 2. For each key, the successful
   additions and removals alternate, so their difference says whether it is there at the end. */
#include "operations.h"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, KEYS = 2, STEPS = 3 };
enum kind { ADD, REMOVE, CONTAINS };

static const struct {
    enum kind kind;
    int key;
} plan[THREADS][STEPS] = {
    { { ADD, 1 }, { ADD, 2 }, { REMOVE, 1 } },
    { { ADD, 2 }, { REMOVE, 2 }, { CONTAINS, 1 } },
    { { ADD, 1 }, { REMOVE, 1 }, { CONTAINS, 2 } },
};

static set_t set;
static int change[THREADS][KEYS + 1];

static bool client_add(int key) {
    fp_operation_begin("add", key);
    bool result = set_add(&set, key);
    fp_operation_end(result);
    return result;
}

static bool client_remove(int key) {
    fp_operation_begin("remove", key);
    bool result = set_remove(&set, key);
    fp_operation_end(result);
    return result;
}

static bool client_contains(int key) {
    fp_operation_begin("contains", key);
    bool result = set_contains(&set, key);
    fp_operation_end(result);
    return result;
}

#ifdef __FENCEPOST__
/* The operations of tests: add, contains and remove. */
void init(void) { set_init(&set); }

static int any_key(void) {
    int key = fp_choose(0, 1);
    fp_observe("key", key);
    return key;
}

void a(void) { fp_observe("added", set_add(&set, any_key())); }
void c(void) { fp_observe("found", set_contains(&set, any_key())); }
void r(void) { fp_observe("removed", set_remove(&set, any_key())); }
#endif

static void *worker(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < STEPS; i++) {
        int key = plan[me][i].key;
        switch (plan[me][i].kind) {
        case ADD: change[me][key] += client_add(key); break;
        case REMOVE: change[me][key] -= client_remove(key); break;
        case CONTAINS: client_contains(key); break;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    set_init(&set);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);

    printf("set: at the end");
    for (int key = 1; key <= KEYS; key++) {
        int present = 0;
        for (int i = 0; i < THREADS; i++) present += change[i][key];
        assert(present == 0 || present == 1);
        assert(client_contains(key) == present);
        printf(" %d is %s", key, present ? "in" : "out");
    }
    printf("\n");
    return 0;
}
