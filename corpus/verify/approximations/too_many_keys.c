// A program makes more thread-specific keys than there are places for.
//@ all: rest cut: executions end at the 33rd key (S-040)
#include <assert.h>
#include <pthread.h>

int main(void) {
    for (int i = 0; i < 33; i++) {
        pthread_key_t key;
        int error = pthread_key_create(&key, 0);
        assert(error == 0);
    }
    return 0;
}
