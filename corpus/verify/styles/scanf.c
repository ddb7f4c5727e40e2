// The number of rounds is read from the input or, if it is given, from the command line.
//@ all: assert fails: the input may say zero, and then nobody sets the flag
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int rounds, flag;

static void *work(void *unused) {
    for (int i = 0; i < rounds && i < 2; i++) flag = 1;
    return unused;
}

int main(int argc, char **argv) {
    if (argc > 1) {
        if (sscanf(argv[1], "%d", &rounds) != 1) return 1;
    } else if (scanf("%d", &rounds) != 1) {
        return 1;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(flag == 1);
    return 0;
}
