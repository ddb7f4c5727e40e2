// A thread that waits for its own end.
#include <pthread.h>

int main(void) { return pthread_join(pthread_self(), 0); }
