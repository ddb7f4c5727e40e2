@pthread_create
/* Starting a thread, awaiting it, and its end order everything. */
static struct { void *(*function)(void *); void *argument; } weak_started[WEAK_THREADS];
@GRAPHstatic pthread_t weak_handles[WEAK_THREADS];

static void *weak_run(void *number) {
    weak_self = (int)(long)number;
    void *result = weak_started[weak_self].function(weak_started[weak_self].argument);
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
    return result;
}

static int weak_create(pthread_t *thread, const pthread_attr_t *attributes,
                       void *(*function)(void *), void *argument) {
    long number = weak_next_thread();
    weak_started[number].function = function;
    weak_started[number].argument = argument;
@BUFFERS    return pthread_create(thread, attributes, weak_run, (void *)number);
@GRAPH    int failed = pthread_create(thread, attributes, weak_run, (void *)number);
@GRAPH    weak_handles[number] = *thread;
@GRAPH    return failed;
}
#define pthread_create weak_create

@thrd_create
/* The same for threads of C11. */
static struct { int (*function)(void *); void *argument; } weak_started_c11[WEAK_THREADS];
@GRAPHstatic thrd_t weak_handles_c11[WEAK_THREADS];

static int weak_run_c11(void *number) {
    weak_self = (int)(long)number;
    int result = weak_started_c11[weak_self].function(weak_started_c11[weak_self].argument);
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
    return result;
}

static int weak_create_c11(thrd_t *thread, int (*function)(void *), void *argument) {
    long number = weak_next_thread();
    weak_started_c11[number].function = function;
    weak_started_c11[number].argument = argument;
@BUFFERS    return thrd_create(thread, weak_run_c11, (void *)number);
@GRAPH    int failed = thrd_create(thread, weak_run_c11, (void *)number);
@GRAPH    weak_handles_c11[number] = *thread;
@GRAPH    return failed;
}
#define thrd_create weak_create_c11

@thrd_join
static int weak_join_c11(thrd_t thread, int *result) {
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
@BUFFERS    return thrd_join(thread, result);
@GRAPH    int failed = thrd_join(thread, result);
@GRAPH    for (long number = 1; number < weak_threads; number++)
@GRAPH        if (weak_handles_c11[number] == thread) weak_await_thread(number);
@GRAPH    return failed;
}
#define thrd_join weak_join_c11

@thrd_exit
static _Noreturn void weak_end_thread_c11(int result) {
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
    thrd_exit(result);
}
#define thrd_exit weak_end_thread_c11

@pthread_join
static int weak_join(pthread_t thread, void **result) {
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
@BUFFERS    return pthread_join(thread, result);
@GRAPH    int failed = pthread_join(thread, result);
@GRAPH    for (long number = 1; number < weak_threads; number++)
@GRAPH        if (weak_handles[number] == thread) weak_await_thread(number);
@GRAPH    return failed;
}
#define pthread_join weak_join

@pthread_exit
static _Noreturn void weak_end_thread(void *result) {
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
    pthread_exit(result);
}
#define pthread_exit weak_end_thread

@exit
static _Noreturn void weak_exit(int status) {
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
@GRAPH    weak_settle();
    exit(status);
}
#define exit weak_exit

@abort
@GRAPH/* The program fails once what led there is an execution. */
@GRAPHstatic _Noreturn void weak_abort(void) {
@GRAPH    weak_settle();
@GRAPH    abort();
@GRAPH}
@GRAPH#define abort weak_abort

@free
/* Stores of the thread to a block take effect before it frees the block. */
static inline void weak_free(void *block) {
    weak_begin();
    weak_drain();
    char *start = block, *end = start + (block ? weak_block_size(block) : 0);
    for (int i = 0; i < weak_pending[weak_self];) {
        char *at = weak_buffer[weak_self][i].at;
        if (at < start || at >= end) {
            i++;
            continue;
        }
@TSO        for (; i >= 0; i--) weak_leave(weak_self, 0);
@PSO        weak_flush_store(i);
        i = 0;
    }
    weak_end();
    free(block);
}
#define free weak_free
