// Unlocks a mutex that nobody holds.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) { return pthread_mutex_unlock(&mutex); }
