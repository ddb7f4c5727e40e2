// An assumption fails in a thread that main does not await: main may return before that.
//@ all: holds: there are executions, and nothing is wrong in them
#include <pthread.h>

void __VERIFIER_assume(int condition);

static void *assumes(void *unused) {
    __VERIFIER_assume(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, assumes, 0);
    return 0;
}
