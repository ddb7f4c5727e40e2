
/* ---- what a thread keeps in order ---- */

/* The loads of a set, and those whose values reach them through own stores: as dependencies, or also by
   what picks between values. */
static inline weak_set weak_through(weak_set loads) {
    weak_set found = loads;
    weak_each(load, loads) found |= weak_event(load)->through;
    return found;
}

static inline weak_set weak_pick_through(weak_set loads) {
    weak_set found = loads;
    weak_each(load, loads) found |= weak_event(load)->pick_through;
    return found;
}

/* Barriers: DMB (all), DMB LD (loads before it), DMB ST (stores). */
static inline void weak_put_fence(int fences) {
    weak_set *fenced = weak_graph.fenced[weak_self], past = weak_graph.past[weak_self];
    if (fences & WEAK_STORE_LOAD) fenced[0] = past;
    else {
        if (fences & (WEAK_LOAD_LOAD | WEAK_LOAD_STORE)) fenced[1] = past;
        if (fences & WEAK_STORE_STORE) fenced[2] = past;
    }
}

/* The relation lob of the model, into a new event: dependencies, barriers, acquires and releases. */
static inline void weak_keep_order(int number) {
    struct weak_event *event = weak_event(number);
    int is_store = weak_has(weak_graph.stores, number), is_update = weak_has(weak_graph.updates, number);
    const struct weak_sources *sources =
        is_store ? &weak_sites[event->site].store : &weak_sites[event->site].load;
    weak_set past = event->past, same = weak_at_place(event->at, event->size) & past;
    weak_set *fenced = weak_graph.fenced[weak_self], first = fenced[0] | (fenced[1] & weak_graph.loads);
    first |= past & (weak_graph.acquires | weak_graph.amo_releases);

    /* What a compare-and-swap that succeeds gives only picks between values. */
    int from = is_update ? number - 1 : number;
    weak_set address = weak_loads_at(from, sources->address), data = weak_loads_at(from, sources->data);
    weak_set control = weak_loads_at(from, sources->control), picks = weak_loads_at(from, sources->compared);
    weak_set plain = ~weak_graph.compared;
    first |= weak_through((address | data) & plain);
    if (is_store) {
        first |= same | (fenced[2] & weak_graph.stores);
        first |= weak_pick_through(address | data | control | picks);
        first |= weak_graph.addressed[weak_self] | weak_graph.pick_addressed[weak_self];
        if (weak_has(weak_graph.releases, number)) first |= past;
        if (is_update) first |= weak_one(number - 1);
        event->sources = (address | data) & plain;
        event->picks = address | data | picks;
        if (weak_has(weak_graph.computed, number)) event->sources |= weak_one(number - 1);
        if (is_update && weak_has(weak_graph.computed | weak_graph.compared << 1, number))
            event->picks |= weak_one(number - 1);
    } else {
        if (weak_has(weak_graph.acquires, number)) first |= past & weak_graph.releases;
        weak_set own = same & weak_graph.stores & weak_own(weak_self);
        if (own) {
            /* The store that the load would take its value from. */
            int store = 63 - __builtin_clzll(own);
            weak_set updated = weak_has(weak_graph.updates, store) ? weak_one(store - 1) : 0;
            event->through |= weak_through(weak_event(store)->sources);
            event->pick_through |= weak_pick_through(weak_event(store)->picks);
            first |= weak_through(weak_event(store)->sources & ~updated);
            if (weak_has(weak_graph.acquires, number)) first |= updated;
        }
    }
    event->ordered |= first & weak_own(weak_self);
    weak_each(one, first & weak_own(weak_self)) event->ordered |= weak_event(one)->ordered;
    if (is_store) first |= weak_pick_through(event->ordered & weak_graph.loads);
    weak_order(first, number);
    weak_graph.addressed[weak_self] |= weak_through(address & plain);
    weak_graph.pick_addressed[weak_self] |= weak_pick_through(address);
}

/* ---- memory orders of C11 ---- */

static inline int weak_acquires(int order) {
    return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL
        || order == __ATOMIC_SEQ_CST;
}

static inline int weak_releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* Loads are LDAR if they acquire, stores are STLR if they release, and read-modify-writes are single
   instructions that do the same. */
static inline void weak_mark_load(int load, int order) {
    if (weak_acquires(order)) weak_graph.acquires |= weak_one(load);
}

static inline void weak_mark_store(int store, int order) {
    if (weak_releases(order)) weak_graph.releases |= weak_one(store);
}

static inline void weak_mark_updating_store(int store, int order, int does) {
    weak_mark_store(store, order);
    if (weak_acquires(order) && weak_releases(order)) weak_graph.amo_releases |= weak_one(store);
    if (does == WEAK_COMPUTES) weak_graph.computed |= weak_one(store);
    if (does == WEAK_COMPARES) weak_graph.compared |= weak_one(store - 1);
}

static inline void weak_before_load(int order) { (void)order; }
static inline void weak_after_load(int load, int order) { (void)load, (void)order; }
static inline void weak_before_store(int order) { (void)order; }
static inline void weak_after_store(int order) { (void)order; }
static inline void weak_after_update(int load, int order) { (void)load, (void)order; }

/* atomic_thread_fence(order) */
static inline int weak_fence_of(int order) {
    if (order == __ATOMIC_RELAXED) return 0;
    return weak_releases(order) ? WEAK_FULL : WEAK_LOAD_LOAD | WEAK_LOAD_STORE;
}

#define weak_may_repeat(order) 1
