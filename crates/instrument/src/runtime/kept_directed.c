
/* ---- what a thread keeps in order ---- */

/* A fence orders pairs of accesses: those before it that load or store, and those after it. */
static inline void weak_put_fence(int fences) {
    for (int kind = 0; kind < 4; kind++)
        if (fences >> kind & 1) weak_graph.fenced[weak_self][kind] = weak_graph.past[weak_self];
}

/* Fences order accesses, and a store comes after the earlier accesses of its place.@ALSO */
static inline void weak_keep_order(int number) {
    struct weak_event *event = weak_event(number);
    weak_set *fenced = weak_graph.fenced[weak_self];
    weak_set loads = weak_graph.loads, stores = weak_graph.stores, first;
@RMO    const struct weak_sources *sources = &weak_sites[event->site].load;
@RMO    weak_set same = weak_at_place(event->at, event->size) & event->past;
    if (weak_has(stores, number)) {
        first = (fenced[1] & loads) | (fenced[3] & stores);
@RELAXED        first |= weak_at_place(event->at, event->size) & event->past;
@RMO        first |= same;
@RMO        sources = &weak_sites[event->site].store;
    } else
        first = (fenced[0] & loads) | (fenced[2] & stores);
@RMO    /* In a read-modify-write, the store depends on what the load depends on. */
@RMO    int from = weak_has(weak_graph.updates, number) ? number - 1 : number;
@RMO    weak_set direct = weak_loads_at(from, sources->address);
@RMO    if (weak_has(stores, number))
@RMO        direct |= weak_loads_at(from, sources->data) | weak_loads_at(from, sources->control);
@RMO    event->depends |= direct;
@RMO    weak_each(load, direct) event->depends |= weak_event(load)->depends;
@RMO    /* A load depends on what own stores to its place depend on. */
@RMO    if (!weak_has(stores, number)) weak_each(store, same & stores) event->depends |= weak_event(store)->depends;
@RMO    first |= event->depends;
    weak_order(first, number);
}

/* ---- memory orders of C11 ---- */

static inline int weak_acquires(int order) {
    return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL
        || order == __ATOMIC_SEQ_CST;
}

static inline int weak_releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static inline void weak_before_load(int order) { (void)order; }

static inline void weak_after_load(int load, int order) {
    (void)load;
    if (weak_acquires(order)) weak_put_fence(WEAK_LOAD_LOAD | WEAK_LOAD_STORE);
    else if (order == __ATOMIC_RELAXED) weak_put_fence(WEAK_LOAD_LOAD);
}

static inline void weak_before_store(int order) {
    if (weak_releases(order)) weak_put_fence(WEAK_LOAD_STORE | WEAK_STORE_STORE);
}

static inline void weak_after_store(int order) {
    if (order == __ATOMIC_SEQ_CST) weak_put_fence(WEAK_STORE_LOAD);
}

static inline void weak_after_update(int load, int order) {
    (void)load;
    if (weak_acquires(order)) weak_put_fence(WEAK_LOAD_LOAD | WEAK_LOAD_STORE);
    if (order == __ATOMIC_SEQ_CST) weak_put_fence(WEAK_STORE_LOAD);
}

/* atomic_thread_fence(order) */
static inline int weak_fence_of(int order) {
    int acquires = order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ? WEAK_LOAD_LOAD | WEAK_LOAD_STORE : 0;
    int releases = weak_releases(order) ? WEAK_LOAD_STORE | WEAK_STORE_STORE : 0;
    int both = order == __ATOMIC_ACQ_REL ? WEAK_LOAD_LOAD : 0;
    int all = order == __ATOMIC_SEQ_CST ? WEAK_LOAD_LOAD | WEAK_STORE_LOAD : 0;
    return acquires | releases | both | all;
}

#define weak_mark_store(store, order) ((void)0)
#define weak_mark_load(load, order) ((void)0)
#define weak_mark_updating_store(store, order, does) ((void)0)
#define weak_may_repeat(order) 1
