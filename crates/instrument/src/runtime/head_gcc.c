#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* What stands between these two happens in one moment. Then another thread may go on. */
static pthread_mutex_t weak_moment = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long weak_random;
static int weak_choose(int low, int high);

static void weak_begin(void) {
    pthread_mutex_lock(&weak_moment);
}

static void weak_end(void) {
    int pause = weak_choose(0, 3) == 0;
    pthread_mutex_unlock(&weak_moment);
    if (pause) sched_yield();
}

/* A random number from low to high (xorshift64*); between weak_begin() and weak_end(). */
static int weak_choose(int low, int high) {
    weak_random ^= weak_random >> 12;
    weak_random ^= weak_random << 25;
    weak_random ^= weak_random >> 27;
    unsigned random = (unsigned)(weak_random * 2685821657736338717ull >> 32);
    return low + (int)(random % (unsigned)(high - low + 1));
}

/* The exit status of a run that says nothing. */
#define WEAK_INCONCLUSIVE 125

/* Ends the run: it would need more than this file provides for, so it says nothing. */
static void weak_inconclusive(void) {
    _exit(WEAK_INCONCLUSIVE);
}
@GRAPH
@GRAPH/* The exit status of a run that turns out not to be an execution: a late load found no store. */
@GRAPH#define WEAK_DISCARDED 126
@GRAPH
@GRAPHstatic void weak_discard(void) {
@GRAPH    _exit(WEAK_DISCARDED);
@GRAPH}
@GRAPH#define weak_await(condition) do { if (!(condition)) weak_discard(); } while (0)
@GRAPH/* One load of four that can be late is. */
@GRAPH#define WEAK_LATE_ODDS 3
@GRAPH/* How often a claim that fails waits for the stores that late loads read from. */
@GRAPH#define WEAK_TRIES 50
@FREES
@FREES/* How many bytes a block has. */
@FREES#define weak_block_size(block) malloc_usable_size(block)
