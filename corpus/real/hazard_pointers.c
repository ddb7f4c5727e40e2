// GenMC's hazard pointers: a block that one of them holds is not freed.
//$ verify FILE --model sc --property memory --property assert
//$ verify FILE -DUNPROTECTED --model sc --property memory
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *reads(void *unused) {
    __VERIFIER_hp_t *hp = __VERIFIER_hp_alloc();
#ifdef UNPROTECTED
    int *p = shared;
#else
    int *p = __VERIFIER_hp_protect(hp, &shared);
#endif
    if (p) assert(*p == 42);
    __VERIFIER_hp_clear(hp);
    return unused;
}

int main(void) {
    pthread_t thread;
    int *p = malloc(sizeof *p);
    *p = 42;
    shared = p;
    pthread_create(&thread, NULL, reads, NULL);
    p = atomic_exchange(&shared, NULL);
    __VERIFIER_hp_retire(p);
    pthread_join(thread, NULL);
    return 0;
}
