/* ---- the execution so far ---- */

/* The fences, by the pairs of accesses that they keep in order. */
#define WEAK_LOAD_LOAD 1
#define WEAK_LOAD_STORE 2
#define WEAK_STORE_LOAD 4
#define WEAK_STORE_STORE 8
#define WEAK_FULL 15

/* The memory order of an access that is not atomic. */
#define WEAK_PLAIN (-1)
/* What a read-modify-write does with what it reads. */
enum { WEAK_REPLACES, WEAK_COMPUTES, WEAK_COMPARES };

/* A set of events: the event with the number n is bit n. */
typedef unsigned long long weak_set;
#define weak_one(event) (1ull << (event))
#define weak_has(set, event) ((set) >> (event) & 1)
/* For each event of a set. */
#define weak_each(event, set) \
    for (weak_set event##_left = (set), event = 0; \
         event##_left && (event = (weak_set)__builtin_ctzll(event##_left), 1); \
         event##_left &= event##_left - 1)

/* What a load may read from, if it is not a store of the execution: what was there at first, or
   a store that another thread makes later. */
#define WEAK_FIRST 62
#define WEAK_LATE 63

/* The loads that something depends on, by their places: the last load at a place, and those before. */
struct weak_places {
    weak_set last, older;
};

/* What an address, a value that is stored, and the branches so far depend on; and what a
   compare-and-swap compares with. */
struct weak_sources {
    struct weak_places address, data, control, compared;
};

/* A place in the text: what its load and its store depend on, and what a load there may find that is
   stored later. */
struct weak_site {
    struct weak_sources load, store;
    int late;
    weak_bits values[@VALUES];
};

@SITES

/* A load or a store. A read-modify-write is a load and then a store. */
struct weak_event {
    char *at;
    unsigned size;
    /* The place in the text, as a number. */
    int site;
    weak_bits value;
    /* What was there at first. */
    weak_bits first;
    /* A load reads from this. */
    int from;
    /* The events before it in program order, and before it in program order and by reading. */
    weak_set past, seen;
    /* A store has these before it in coherence order. */
    weak_set earlier;
    /* The events before it in the order of the model. */
    weak_set before;
@RMO    /* The loads that it depends on. */
@RMO    weak_set depends;
@ARMV8    /* The events of its thread that it is ordered after; and the loads whose values reach it through
@ARMV8       own stores, as dependencies or also by what picks between values. */
@ARMV8    weak_set ordered, through, pick_through;
@ARMV8    /* The loads that its address and its value depend on, and those that only pick between values. */
@ARMV8    weak_set sources, picks;
@POWER    /* What is before it by each of the relations of preserved program order: from initiation (i) or
@POWER       commit (c) to initiation or commit. */
@POWER    weak_set ii, ic, ci, cc;
@POWER    /* The loads that its address or value depends on, that branches before it do, and that do so before an
@POWER       isync; and what its commit waits for. */
@POWER    weak_set depends, control, isynced, committed;
@POWER    /* What fences, and full fences, order before it. */
@POWER    weak_set fenced, synced;
};

static struct weak_graph {
    struct weak_event event[WEAK_THREADS * WEAK_EVENTS];
    /* How many events each thread has; those of thread t have the numbers from t * WEAK_EVENTS. */
    int count[WEAK_THREADS];
    /* Loads, stores, the stores of read-modify-writes, and the loads that read from a later store. */
    weak_set loads, stores, updates, late;
    /* The events before the next one of each thread: in program order, and also by reading. */
    weak_set past[WEAK_THREADS], seen[WEAK_THREADS];
    /* The last event of each thread is a load that the same load may repeat. */
    char repeats[WEAK_THREADS];
    /* The events before the last fence of each kind of each thread. */
    weak_set fenced[WEAK_THREADS][4];
@ARMV8    /* Acquires, releases, and the stores of read-modify-writes that do both; the stores of those that
@ARMV8       compute what they write, and the loads of compare-and-swaps that succeeded. */
@ARMV8    weak_set acquires, releases, amo_releases, computed, compared;
@ARMV8    /* What the addresses of each thread depend on so far, or also what picks between them. */
@ARMV8    weak_set addressed[WEAK_THREADS], pick_addressed[WEAK_THREADS];
@POWER    /* Load-reserves and store-conditionals; what addresses, and control fences, depend on. */
@POWER    weak_set exclusives, addressed[WEAK_THREADS], isynced[WEAK_THREADS];
    /* Whether the model forbids the execution. */
    int broken;
} weak_graph;

/* The threads by their numbers; main has the number 0. */
static _Thread_local int weak_self;

#define weak_event(number) (&weak_graph.event[number])
#define weak_thread(number) ((int)(number) / WEAK_EVENTS)

/* The events of a thread. */
static inline weak_set weak_own(int thread) {
    return ((1ull << weak_graph.count[thread]) - 1) << (thread * WEAK_EVENTS);
}

/* Whether no late load is left: whether what the program did so far is an execution. */
#define weak_complete() (weak_graph.late == 0)

/* The events at a place. */
static inline weak_set weak_at_place(char *at, unsigned size) {
    weak_set found = 0;
    weak_each(other, weak_graph.loads | weak_graph.stores) {
        struct weak_event *event = weak_event(other);
        if (event->at == at && event->size == size) found |= weak_one(other);
        else if (event->at < at + size && at < event->at + event->size)
            weak_inconclusive(); /* accesses of several widths to one place */
    }
    return found;
}

/* A new event of the running thread. */
static inline int weak_new(char *at, unsigned size, int site, weak_set same) {
    if (weak_graph.count[weak_self] == WEAK_EVENTS) weak_inconclusive();
    int number = weak_self * WEAK_EVENTS + weak_graph.count[weak_self]++;
    struct weak_event *event = weak_event(number);
    *event = (struct weak_event){
        .at = at, .size = size, .site = site, .from = WEAK_FIRST,
        .past = weak_graph.past[weak_self],
        .first = same ? weak_event(__builtin_ctzll(same))->first : weak_memory(at, size),
    };
    weak_graph.past[weak_self] |= weak_one(number);
    weak_graph.seen[weak_self] |= weak_one(number);
    weak_graph.repeats[weak_self] = 0;
    return number;
}

/* ---- coherence ---- */

/* What an event shows of coherence order: a store itself, a load what it reads from. */
#define weak_shows(number) (weak_has(weak_graph.stores, number) ? (int)(number) : weak_event(number)->from)

/* The stores before one in coherence order, and itself. */
static inline weak_set weak_up_to(int source) {
    if (source == WEAK_FIRST) return weak_one(WEAK_FIRST);
    return weak_event(source)->earlier | weak_one(source) | weak_one(WEAK_FIRST);
}

/* The stores to a place, and what was there at first, that are not before what these events show:
   a load may read from these, and a store may come directly after these. */
static inline weak_set weak_not_before(weak_set same, weak_set shown) {
    weak_set found = (same & weak_graph.stores) | weak_one(WEAK_FIRST);
    weak_each(other, shown) {
        int source = weak_shows(other);
        if (source != WEAK_LATE) found &= ~(weak_up_to(source) & ~weak_one(source));
    }
    return found;
}

/* Nothing of another thread comes between what a read-modify-write reads and what it writes. */
static inline void weak_check_updates(weak_set same) {
    weak_each(store, same & weak_graph.updates) {
        int from = weak_event(store - 1)->from;
        if (from == WEAK_LATE) continue;
        weak_set between = weak_event(store)->earlier & ~weak_up_to(from);
        if (between & ~weak_own(weak_thread(store))) weak_graph.broken = 1;
    }
}

