
/* ---- what a thread keeps in order ---- */

/* Barriers: sync, lwsync (not a store before a load), eieio (stores only). */
static inline void weak_put_fence(int fences) {
    weak_set *fenced = weak_graph.fenced[weak_self], past = weak_graph.past[weak_self];
    if (fences & WEAK_STORE_LOAD) fenced[0] = past;
    else if (fences & (WEAK_LOAD_LOAD | WEAK_LOAD_STORE)) fenced[1] = past;
    else if (fences & WEAK_STORE_STORE) fenced[2] = past;
}

/* The relations ii, ic, ci and cc, and with them preserved program order, into an event. */
static inline void weak_preserve(int number) {
    struct weak_event *event = weak_event(number);
    int is_store = weak_has(weak_graph.stores, number), from = event->from;
    weak_set ii = event->depends, ci = event->isynced, ic = 0, cc = event->committed;
    if (!is_store && from < WEAK_FIRST) {
        weak_set same = weak_at_place(event->at, event->size) & event->past & weak_own(weak_thread(number));
        if (weak_thread(from) == weak_thread(number)) ii |= weak_one(from);
        else {
            weak_each(other, same) {
                if (weak_has(weak_graph.stores, other)) {
                    /* detour: what is read is later than an own store */
                    if (weak_has(weak_event(from)->earlier, other)) ci |= weak_one(other);
                } else if (weak_event(other)->from == WEAK_FIRST
                           || weak_has(weak_event(from)->earlier & ~weak_one(WEAK_FIRST), weak_event(other)->from))
                    ii |= weak_one(other); /* rdw: the two loads read from different stores */
            }
        }
    }
    for (weak_set before = ~0ull, after = 0; before != after;) {
        before = ii ^ ic ^ ci ^ cc;
        weak_each(i, ii) ci |= weak_event(i)->ci, ii |= weak_event(i)->ii;
        weak_each(i, ci) ci |= weak_event(i)->cc, ii |= weak_event(i)->ic;
        ii |= ci, cc |= ci, ic |= ii | cc;
        weak_each(c, cc) cc |= weak_event(c)->cc, ic |= weak_event(c)->ic;
        weak_each(c, ic) cc |= weak_event(c)->ci, ic |= weak_event(c)->ii;
        after = ii ^ ic ^ ci ^ cc;
    }
    event->ii = ii, event->ic = ic, event->ci = ci, event->cc = cc;
    weak_order(event->fenced | ((is_store ? ic : ii) & weak_graph.loads), number);
}

/* Takes note of what fences and dependencies say of a new event. */
static inline void weak_keep_order(int number) {
    struct weak_event *event = weak_event(number);
    int is_store = weak_has(weak_graph.stores, number);
    const struct weak_sources *sources =
        is_store ? &weak_sites[event->site].store : &weak_sites[event->site].load;
    weak_set same = weak_at_place(event->at, event->size) & event->past & weak_own(weak_self);
    weak_set *fenced = weak_graph.fenced[weak_self];
    weak_set address = weak_loads_at(number, sources->address);
    event->depends |= address | (is_store ? weak_loads_at(number, sources->data) : 0);
    event->control |= weak_loads_at(number, sources->control);
    event->isynced |= weak_graph.isynced[weak_self];
    event->committed |= event->depends | event->control | weak_graph.addressed[weak_self] | same;
    event->synced |= fenced[0];
    event->fenced |= fenced[0] | (is_store ? fenced[1] : fenced[1] & weak_graph.loads)
        | (is_store ? fenced[2] & weak_graph.stores : 0);
    weak_preserve(number);
    weak_graph.addressed[weak_self] |= address;
}

/* ---- memory orders of C11 ---- */

static inline int weak_acquires(int order) {
    return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL
        || order == __ATOMIC_SEQ_CST;
}

static inline int weak_releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static inline void weak_before_load(int order) {
    if (order == __ATOMIC_SEQ_CST) weak_put_fence(WEAK_FULL);
}

/* An acquire is a load, a branch on what it read, and isync. */
static inline void weak_after_load(int load, int order) {
    if (weak_acquires(order)) weak_graph.isynced[weak_self] |= weak_event(load)->control | weak_one(load);
}

static inline void weak_before_store(int order) {
    if (weak_releases(order))
        weak_put_fence(order == __ATOMIC_SEQ_CST ? WEAK_FULL : WEAK_LOAD_STORE | WEAK_STORE_STORE);
}

static inline void weak_after_store(int order) { (void)order; }

/* A read-modify-write is a load-reserve and a store-conditional with a branch between. */
static inline void weak_after_update(int load, int order) {
    weak_after_load(load, order);
}

static inline void weak_mark_updating_store(int store, int order, int does) {
    (void)order, (void)does;
    weak_graph.exclusives |= weak_one(store);
}

/* atomic_thread_fence(order) */
static inline int weak_fence_of(int order) {
    if (order == __ATOMIC_RELAXED) return 0;
    return order == __ATOMIC_SEQ_CST ? WEAK_FULL : WEAK_LOAD_LOAD | WEAK_LOAD_STORE | WEAK_STORE_STORE;
}

#define weak_mark_store(store, order) ((void)0)
#define weak_mark_load(load, order) ((void)0)
/* A load with a barrier before it is not as good as two of them. */
#define weak_may_repeat(order) ((order) != __ATOMIC_SEQ_CST)
