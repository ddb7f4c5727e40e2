// A thread that starts with what is not a function.
#include <pthread.h>
struct job { int id; };
int main(void) {
    pthread_t t;
    struct job worker = {1};
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
