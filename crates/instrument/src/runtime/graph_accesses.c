/* ---- accesses ---- */

/* A load reads from a store, or from what was there at first. */
static inline void weak_read_from(int number, int from, weak_set same) {
    struct weak_event *load = weak_event(number);
    load->from = from;
    load->value = from == WEAK_FIRST ? load->first : weak_event(from)->value;
    if (from != WEAK_FIRST) weak_graph.seen[weak_self] |= weak_event(from)->seen;
    weak_communicate(from, number, (same & weak_graph.stores) & ~weak_up_to(from));
}

/* A late load turns out to read from a store. What is before and after it at the place must agree. */
static inline void weak_resolve(int number, int store, weak_set same) {
    struct weak_event *load = weak_event(number);
    load->from = store;
    weak_graph.late &= ~weak_one(number);
    weak_set later = (same & weak_graph.stores) & ~weak_up_to(store);
    weak_each(other, same & ~weak_one(number)) {
        int source = weak_shows(other);
@UNORDERED_LOADS        if (weak_has(weak_graph.loads, other)) continue;
        if (source == WEAK_LATE) continue;
        if (weak_has(load->past, other) && source != WEAK_FIRST && weak_has(later, source))
            weak_graph.broken = 1;
        if (weak_has(weak_event(other)->past, number)
            && (source == WEAK_FIRST || weak_has(weak_event(store)->earlier, source)))
            weak_graph.broken = 1;
    }
    weak_communicate(store, number, later);
    weak_check_updates(same);
}

/* A store comes directly after another one in coherence order, or after what was there at first. */
static inline void weak_write_after(int number, int after, weak_set same) {
    struct weak_event *store = weak_event(number);
    store->seen = weak_graph.seen[weak_self];
    store->earlier = weak_up_to(after) & ~weak_one(WEAK_FIRST);
    weak_set later = (same & weak_graph.stores) & ~store->earlier & ~weak_one(number), readers = 0;
    weak_each(other, later) weak_event(other)->earlier |= weak_one(number);
    weak_each(load, same & weak_graph.loads & ~weak_graph.late) {
        int from = weak_event(load)->from;
        if (from == WEAK_FIRST || weak_has(store->earlier, from)) readers |= weak_one(load);
    }
    weak_replace(number, readers, later);
    if (!later) weak_set_memory(store->at, store->size, store->value);
    weak_check_updates(same | weak_one(number));
}

@WAITS/* Any member of a set. */
@WAITSstatic inline int weak_member(weak_set set) {
@WAITS    int member = WEAK_FIRST, left = weak_choose(1, __builtin_popcountll(set));
@WAITS    weak_each(one, set) {
@WAITS        if (--left == 0) member = (int)one;
@WAITS    }
@WAITS    return member;
@WAITS}
@WAITS
@WAITS/* Does a step for any member of a set after which the model allows the execution. */
@WAITS#define weak_step_for(member, set, step) do { \
@WAITS    int member = weak_member(set); \
@WAITS    step; \
@WAITS    weak_await(!weak_graph.broken); \
@WAITS} while (0)
@SPINS/* A random member of a set. */
@SPINSstatic inline int weak_member(weak_set set) {
@SPINS    int member = WEAK_FIRST, left = weak_choose(1, __builtin_popcountll(set));
@SPINS    weak_each(one, set) {
@SPINS        if (--left == 0) member = (int)one;
@SPINS    }
@SPINS    return member;
@SPINS}
@SPINS
@SPINS/* Does a step for a random member of a set after which the model allows the execution. */
@SPINS#define weak_step_for(member, set, step) do { \
@SPINS    static struct weak_graph weak_saved; \
@SPINS    weak_saved = weak_graph; \
@SPINS    for (weak_set weak_left = (set);; weak_graph = weak_saved) { \
@SPINS        if (weak_left == 0) weak_discard(); \
@SPINS        int member = weak_member(weak_left); \
@SPINS        step; \
@SPINS        if (!weak_graph.broken) break; \
@SPINS        weak_left &= ~weak_one(member); \
@SPINS    } \
@SPINS} while (0)

/* A load: of any store that the model allows, or of one that another thread makes later. */
static inline int weak_new_load(char *at, unsigned size, int order, int site) {
    weak_set same = weak_at_place(at, size), shown = weak_graph.past[weak_self] & same;
@UNORDERED_LOADS    shown &= weak_graph.stores;
    weak_set sources = weak_not_before(same, shown);
    int last = weak_self * WEAK_EVENTS + weak_graph.count[weak_self] - 1;
    if (weak_graph.repeats[weak_self] && weak_has(same, last) && weak_event(last)->site == site) {
        weak_set others = sources & ~weak_one(weak_event(last)->from);
        if (others == 0 || weak_choose(0, 1)) {
            /* The same load reads the same again: the second one stands for both. */
            weak_keep_order(last);
@POWER            weak_check_propagation();
            weak_await(!weak_graph.broken);
            return last;
        }
        sources = others;
    }
    int number = weak_new(at, size, site, same);
    weak_graph.loads |= weak_one(number);
    weak_mark_load(number, order);
    weak_keep_order(number);
    int values = weak_sites[site].late;
    if (values > 0 && weak_choose(0, WEAK_LATE_ODDS) == 0) {
        weak_event(number)->from = WEAK_LATE;
        weak_event(number)->value = weak_sites[site].values[weak_choose(0, values - 1)];
        weak_graph.late |= weak_one(number);
        weak_await(!weak_graph.broken);
    } else {
        weak_step_for(from, sources, weak_read_from(number, from, same));
    }
    return number;
}

/* A store: at any place in coherence order that the model allows. */
static inline void weak_new_store(int number, weak_bits bits, weak_set sources) {
    weak_set same = weak_at_place(weak_event(number)->at, weak_event(number)->size);
    weak_event(number)->value = bits;
    weak_graph.stores |= weak_one(number);
    weak_keep_order(number);
    weak_step_for(after, sources, weak_write_after(number, after, same));
    weak_each(load, same & weak_graph.late) {
        if (weak_event(load)->value == bits && weak_has(weak_event(number)->seen, load)
            && weak_thread(load) != weak_self && weak_choose(0, 1)) {
            weak_resolve((int)load, number, same | weak_one(number));
            weak_await(!weak_graph.broken);
        }
    }
}

static inline weak_bits weak_read(void *at, unsigned size, int order, int site) {
    weak_begin();
    weak_before_load(order);
    int load = weak_new_load(at, size, order, site);
    weak_after_load(load, order);
    weak_graph.repeats[weak_self] = weak_may_repeat(order);
    weak_bits bits = weak_event(load)->value;
    weak_end();
    return bits;
}

static inline void weak_write(void *at, unsigned size, weak_bits bits, int order, int site) {
    weak_begin();
    weak_before_store(order);
    weak_set same = weak_at_place(at, size);
    int store = weak_new(at, size, site, same);
    weak_mark_store(store, order);
    weak_new_store(store, bits, weak_not_before(same, weak_event(store)->past & same));
    weak_after_store(order);
    weak_end();
}

/* A read-modify-write is one moment of the program, from here to weak_end_update() or
   weak_fail_update(). */
static inline weak_bits weak_begin_update(void *at, unsigned size, int order, int site) {
    weak_begin();
    weak_before_store(order);
    int load = weak_new_load(at, size, order, site);
@POWER    weak_graph.exclusives |= weak_one(load);
    return weak_event(load)->value;
}

static inline void weak_end_update(void *at, unsigned size, weak_bits bits, int order, int site, int does) {
    weak_set same = weak_at_place(at, size);
    int store = weak_new(at, size, site, same), load = store - 1;
    weak_graph.updates |= weak_one(store);
    weak_mark_updating_store(store, order, does);
    weak_set sources = weak_one(weak_event(load)->from);
    if (weak_event(load)->from == WEAK_LATE)
        sources = weak_not_before(same, weak_event(store)->past & same);
    weak_new_store(store, bits, sources);
    weak_after_update(load, order);
    weak_end();
}

/* A compare-and-swap that fails only reads. */
static inline void weak_fail_update(int order, int failure) {
@POWER    (void)order;
@POWER    weak_after_update(weak_self * WEAK_EVENTS + weak_graph.count[weak_self] - 1, failure);
@POINTS    (void)failure;
@POINTS    weak_after_update(weak_self * WEAK_EVENTS + weak_graph.count[weak_self] - 1, order);
@ARMV8    (void)order, (void)failure;
    weak_end();
}

static inline void weak_fence(int fences) {
    weak_begin();
    weak_put_fence(fences);
    weak_graph.repeats[weak_self] = 0;
    weak_end();
}

/* ---- threads ---- */

static int weak_threads = 1;

/* The number of a thread that is about to be started. What came before is before all of it. */
static inline long weak_next_thread(void) {
    weak_begin();
    long number = weak_threads++;
    if (number >= WEAK_THREADS) weak_inconclusive();
    weak_put_fence(WEAK_FULL);
    weak_graph.past[number] = weak_graph.past[weak_self];
    weak_graph.seen[number] = weak_graph.seen[weak_self];
    for (int kind = 0; kind < 4; kind++)
        weak_graph.fenced[number][kind] = weak_graph.fenced[weak_self][kind];
    weak_end();
    return number;
}

/* All of a thread that ended is before what follows. */
static inline void weak_await_thread(long number) {
    weak_begin();
    weak_graph.past[weak_self] |= weak_graph.past[number];
    weak_graph.seen[weak_self] |= weak_graph.seen[number];
    weak_graph.repeats[weak_self] = 0;
    weak_put_fence(WEAK_FULL);
    weak_end();
}

/* Waits until what the program did so far is an execution; what a late load led to does not count
   before. */
static inline void weak_settle(void) {
@WAITS    weak_begin();
@WAITS    weak_await(weak_complete());
@WAITS    weak_end();
@SPINS    for (int tries = 0;; tries++) {
@SPINS        weak_begin();
@SPINS        int complete = weak_complete();
@SPINS        weak_end();
@SPINS        if (complete) break;
@SPINS        if (tries == WEAK_TRIES) weak_discard();
@SPINS        sched_yield();
@SPINS    }
}

/* If a claim does not hold, that counts once what led to it is an execution. */
#define weak_assert(condition) ((condition) ? (void)0 : (weak_settle(), assert(!"" #condition)))

/* ---- what replaces the accesses of the program ---- */

/* An access at a place in the text that has this number. */
#define weak_place(number, ...) ({ enum { weak_site = number }; __VA_ARGS__; })
enum { weak_site };

/* The type of a value, without qualifiers. */
#define weak_type(value) __typeof__((void)0, (value))

/* The memory order of a compare-and-swap with two: the stronger one. */
static inline int weak_join_orders(int success, int failure) {
    if (failure == __ATOMIC_SEQ_CST) return failure;
    if (failure == __ATOMIC_ACQUIRE || failure == __ATOMIC_CONSUME) {
        if (success == __ATOMIC_RELAXED) return failure;
        if (success == __ATOMIC_RELEASE) return __ATOMIC_ACQ_REL;
    }
    return success;
}
