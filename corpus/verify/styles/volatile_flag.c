// A hand-made handshake through volatile variables, with usleep and sched_yield in the wait.
//@ sc tso: holds: stores are seen in order
//@ pso relaxed armv8 power riscv: assert fails: the flag may be seen before the data
//@ rc11: race fails, assert open: volatile accesses are not atomic in C11
#include <pthread.h>
#include <unistd.h>
#include <sched.h>
#include <assert.h>
volatile int ready; volatile int data;
void *producer(void *p) { usleep(10); data = 42; ready = 1; return p; }
void *consumer(void *p) { while (!ready) { sched_yield(); usleep(1); } assert(data == 42); return p; }
int main() { pthread_t a, b; pthread_create(&a, 0, producer, 0); pthread_create(&b, 0, consumer, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
