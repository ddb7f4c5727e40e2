// A thread that starts with a function of the wrong type.
#include <pthread.h>
int worker(int id) { return id; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t);
    return 0;
}
