@pthread_create
/* Starting a thread, awaiting it, and its end order everything. */
static struct { void *(*function)(void *); void *argument; } weak_started[WEAK_THREADS];

static void *weak_run(void *number) {
    weak_self = (int)(long)number;
    void *result = weak_started[weak_self].function(weak_started[weak_self].argument);
    weak_fence(WEAK_STORE_LOAD);
    return result;
}

static int weak_create(pthread_t *thread, const pthread_attr_t *attributes,
                       void *(*function)(void *), void *argument) {
    long number = weak_next_thread();
    weak_started[number].function = function;
    weak_started[number].argument = argument;
    return pthread_create(thread, attributes, weak_run, (void *)number);
}
#define pthread_create weak_create

@thrd_create
/* The same for threads of C11. */
static struct { int (*function)(void *); void *argument; } weak_started_c11[WEAK_THREADS];

static int weak_run_c11(void *number) {
    weak_self = (int)(long)number;
    int result = weak_started_c11[weak_self].function(weak_started_c11[weak_self].argument);
    weak_fence(WEAK_STORE_LOAD);
    return result;
}

static int weak_create_c11(thrd_t *thread, int (*function)(void *), void *argument) {
    long number = weak_next_thread();
    weak_started_c11[number].function = function;
    weak_started_c11[number].argument = argument;
    return thrd_create(thread, weak_run_c11, (void *)number);
}
#define thrd_create weak_create_c11

@thrd_join
static int weak_join_c11(thrd_t thread, int *result) {
    weak_fence(WEAK_STORE_LOAD);
    return thrd_join(thread, result);
}
#define thrd_join weak_join_c11

@thrd_exit
static _Noreturn void weak_end_thread_c11(int result) {
    weak_fence(WEAK_STORE_LOAD);
    thrd_exit(result);
}
#define thrd_exit weak_end_thread_c11

@pthread_join
static int weak_join(pthread_t thread, void **result) {
    weak_fence(WEAK_STORE_LOAD);
    return pthread_join(thread, result);
}
#define pthread_join weak_join

@pthread_exit
static _Noreturn void weak_end_thread(void *result) {
    weak_fence(WEAK_STORE_LOAD);
    pthread_exit(result);
}
#define pthread_exit weak_end_thread

@exit
static _Noreturn void weak_exit(int status) {
    weak_fence(WEAK_STORE_LOAD);
    exit(status);
}
#define exit weak_exit

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
