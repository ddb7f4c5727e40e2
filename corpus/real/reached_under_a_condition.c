// What is not supported is a finding of the executions that reach it.
//$ verify FILE --model sc --model tso
//$ verify FILE -DNEVER --model sc --model tso
//$ run FILE --seed 1
//$ verify FILE -DALWAYS --model sc
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int x;
extern int elsewhere(int);
static void *writes(void *unused) {
#ifndef NEVER
    x = 2;
#else
    x = 1;
#endif
    return unused;
}
static void log_it(void) {
    FILE *file = fopen("log", "w");
    fprintf(file, "%d", x);
    __asm__ volatile("cpuid");
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
#ifdef ALWAYS
    log_it();
#endif
    if (x == 2) log_it();
    if (x == 3) elsewhere(x);
    pthread_join(thread, NULL);
    assert(x != 0);
    return 0;
}
