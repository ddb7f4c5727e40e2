/* ---- store buffers ---- */

/* A store that is not in memory yet. */
struct weak_waiting {
    void *at;
    unsigned size;
@PSO    /* How many store-store fences of its thread came before it. */
@PSO    unsigned fences;
    weak_bits bits;
};

/* The threads by their numbers; main has the number 0. */
static _Thread_local int weak_self;
/* The stores of each thread that are not in memory yet, in the order of the program. */
static struct weak_waiting weak_buffer[WEAK_THREADS][WEAK_BUFFER];
static int weak_pending[WEAK_THREADS];
@PSO/* How many store-store fences came before the next store of each thread. */
@PSOstatic unsigned weak_fences[WEAK_THREADS];

/* A store takes effect in memory: every thread sees it from now on. */
static inline void weak_leave(int thread, int which) {
    struct weak_waiting *buffer = weak_buffer[thread];
    weak_set_memory(buffer[which].at, buffer[which].size, buffer[which].bits);
    weak_pending[thread]--;
    for (int i = which; i < weak_pending[thread]; i++) buffer[i] = buffer[i + 1];
    buffer[weak_pending[thread]] = (struct weak_waiting){ 0 };
@PSO    if (weak_pending[thread] == 0) weak_fences[thread] = 0;
}

@PSO/* Whether a store may take effect before those that are older: they are to other addresses, and no
@PSO   store-store fence is between. */
@PSOstatic inline int weak_may_leave(int thread, int which) {
@PSO    struct weak_waiting *buffer = weak_buffer[thread];
@PSO    for (int i = 0; i < which; i++)
@PSO        if (buffer[i].at == buffer[which].at || buffer[i].fences != buffer[which].fences) return 0;
@PSO    return 1;
@PSO}
@PSO
/* Stores of any threads may take effect at any time: as many as matter do so when a thread is about
   to see memory. */
static inline void weak_drain(void) {
    for (int left = WEAK_THREADS * WEAK_BUFFER; left > 0; left--) {
        int thread = weak_choose(0, WEAK_THREADS);
        if (thread == WEAK_THREADS || weak_pending[thread] == 0) return;
@TSO        weak_leave(thread, 0);
@PSO        int which = weak_choose(0, weak_pending[thread] - 1);
@PSO        if (!weak_may_leave(thread, which)) return;
@PSO        weak_leave(thread, which);
    }
}

/* All stores of the thread take effect. */
static inline void weak_flush(void) {
    while (weak_pending[weak_self] > 0) weak_leave(weak_self, 0);
}

@PSO/* A store of the thread takes effect, after those that it must come after. */
@PSOstatic inline void weak_flush_store(int which) {
@PSO    struct weak_waiting *buffer = weak_buffer[weak_self];
@PSO    for (int i = 0; i < which;) {
@PSO        if (buffer[i].at == buffer[which].at || buffer[i].fences != buffer[which].fences) {
@PSO            weak_leave(weak_self, i);
@PSO            which--;
@PSO        } else i++;
@PSO    }
@PSO    weak_leave(weak_self, which);
@PSO}
@PSO
@PSO/* Those take effect that must be in memory before a new store to this address is. */
@PSOstatic inline void weak_flush_before(void *at) {
@PSO    for (int i = 0; i < weak_pending[weak_self];) {
@PSO        struct weak_waiting *store = &weak_buffer[weak_self][i];
@PSO        if (store->at == at || store->fences != weak_fences[weak_self]) weak_leave(weak_self, i);
@PSO        else i++;
@PSO    }
@PSO}
@PSO
/* A load: the thread's own latest store to the address that is not in memory yet, or else memory. */
static inline weak_bits weak_see(void *at, unsigned size) {
    for (int i = weak_pending[weak_self] - 1; i >= 0; i--) {
        struct weak_waiting *store = &weak_buffer[weak_self][i];
        if (store->at == at && store->size == size) return store->bits;
        if ((char *)store->at < (char *)at + size && (char *)at < (char *)store->at + store->size)
            weak_inconclusive(); /* accesses of several widths to one place */
    }
    return weak_memory(at, size);
}

static inline weak_bits weak_read(void *at, unsigned size) {
    weak_begin();
    weak_drain();
    weak_bits bits = weak_see(at, size);
    weak_end();
    return bits;
}

/* The fences that the models know, by the pairs of accesses that they keep in order. */
#define WEAK_LOAD_LOAD 1
#define WEAK_LOAD_STORE 2
#define WEAK_STORE_LOAD 4
#define WEAK_STORE_STORE 8

/* A fence. Loads are never late here, and @FENCE. */
static inline void weak_keep(int orders) {
    if (orders & WEAK_STORE_LOAD) weak_flush();
@PSO    else if (orders & WEAK_STORE_STORE && weak_pending[weak_self] > 0) weak_fences[weak_self]++;
}

static inline void weak_fence(int orders) {
    weak_begin();
    weak_drain();
    weak_keep(orders);
    weak_end();
}

/* Whether a memory order includes release. */
static inline int weak_releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* A store waits in the buffer. */
static inline void weak_write(void *at, unsigned size, weak_bits bits, int order) {
    weak_begin();
    if (weak_releases(order)) weak_keep(WEAK_LOAD_STORE | WEAK_STORE_STORE);
    int number = weak_pending[weak_self];
    if (number == WEAK_BUFFER) weak_inconclusive();
    for (int i = 0; i < number; i++) {
        struct weak_waiting *store = &weak_buffer[weak_self][i];
        if ((store->at != at || store->size != size) && (char *)store->at < (char *)at + size
            && (char *)at < (char *)store->at + store->size)
            weak_inconclusive(); /* accesses of several widths to one place */
    }
@TSO    weak_buffer[weak_self][number] = (struct weak_waiting){ at, size, bits };
@PSO    weak_buffer[weak_self][number] = (struct weak_waiting){ at, size, weak_fences[weak_self], bits };
    weak_pending[weak_self]++;
    if (order == __ATOMIC_SEQ_CST) {
        weak_drain();
        weak_keep(WEAK_STORE_LOAD);
    }
    weak_end();
}

/* A read-modify-write is one moment, from here to weak_end_update() or weak_fail_update(). @UPDATE */
static inline weak_bits weak_begin_update(void *at, unsigned size, int order) {
    weak_begin();
    weak_drain();
@TSO    (void)order;
@TSO    weak_flush();
@PSO    if (weak_releases(order)) weak_keep(WEAK_LOAD_STORE | WEAK_STORE_STORE);
    return weak_see(at, size);
}

static inline void weak_end_update(void *at, unsigned size, weak_bits bits, int order) {
@PSO    weak_flush_before(at);
    weak_set_memory(at, size, bits);
    if (order == __ATOMIC_SEQ_CST) weak_keep(WEAK_STORE_LOAD);
    weak_end();
}

/* A compare-and-swap that fails only reads. */
static inline void weak_fail_update(int order) {
    if (order == __ATOMIC_SEQ_CST) weak_keep(WEAK_STORE_LOAD);
    weak_end();
}

/* ---- threads ---- */

static int weak_threads = 1;

/* The number of a thread that is about to be started. */
static inline long weak_next_thread(void) {
    weak_begin();
    weak_drain();
    weak_flush();
    long number = weak_threads++;
    if (number >= WEAK_THREADS) weak_inconclusive();
    weak_end();
    return number;
}

/* ---- what replaces the accesses of the program ---- */

/* The type of a value, without qualifiers. */
#define weak_type(value) __typeof__((void)0, (value))
