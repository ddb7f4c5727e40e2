
/* ---- how stores propagate ---- */

#define WEAK_ALL (weak_graph.loads | weak_graph.stores)

/* Whether a relation, given by what is before each event, has a cycle. */
static inline int weak_is_cyclic(const weak_set *before) {
    weak_set left = WEAK_ALL;
    for (weak_set last = 0; last != left;) {
        last = left;
        weak_each(event, left)
            if ((before[event] & left) == 0) left &= ~weak_one(event);
    }
    return left != 0;
}

/* What communicates (rf, co, fr) to a store, in any number of steps. */
static inline weak_set weak_communicates_to(weak_set store) {
    struct weak_event *event = weak_event(store);
    weak_set found = event->earlier;
    weak_each(load, weak_at_place(event->at, event->size) & weak_graph.loads) {
        int from = weak_event(load)->from;
        if (from == WEAK_FIRST || (from != WEAK_LATE && weak_has(event->earlier, from)))
            found |= weak_one(load);
    }
    return found;
}

/* The model's conditions about propagation: observation and propagation, and that exclusives keep
   their order. */
static inline void weak_check_propagation(void) {
    weak_set all = WEAK_ALL, rmw = weak_graph.updates | weak_graph.updates >> 1;
    weak_set com[WEAK_THREADS * WEAK_EVENTS], base[WEAK_THREADS * WEAK_EVENTS];
    weak_set fence[WEAK_THREADS * WEAK_EVENTS], order[WEAK_THREADS * WEAK_EVENTS];
    weak_set exclusive[WEAK_THREADS * WEAK_EVENTS], reserving[WEAK_THREADS * WEAK_EVENTS];
    weak_each(e, all) {
        struct weak_event *event = weak_event(e);
        /* fence | rfe; fence */
        fence[e] = event->fenced;
        weak_each(load, event->fenced & weak_graph.loads) {
            int from = weak_event(load)->from;
            if (from < WEAK_FIRST && weak_thread(from) != weak_thread(load)) fence[e] |= weak_one(from);
        }
        /* rf | co | fr, in any number of steps */
        if (weak_has(weak_graph.stores, e)) com[e] = weak_communicates_to(e);
        else com[e] = event->from < WEAK_FIRST ? weak_one(event->from) : 0;
    }
    weak_each(e, all & weak_graph.loads)
        if (com[e]) com[e] |= com[weak_event(e)->from];
    weak_each(e, all) {
        /* prop-base: (fence | rfe; fence); hb* */
        base[e] = fence[e];
        weak_each(y, weak_event(e)->before) base[e] |= fence[y];
    }
    weak_each(e, all) {
        struct weak_event *event = weak_event(e);
        int is_store = weak_has(weak_graph.stores, e);
        /* com*; prop-base*; sync; hb* */
        weak_set strong = event->synced, weak = is_store ? base[e] : 0;
        weak_each(y, event->before) {
            strong |= weak_event(y)->synced;
            if (weak_has(weak_graph.stores, y)) weak |= base[y];
        }
        weak_each(y, strong) strong |= base[y];
        weak_each(y, strong) strong |= com[y];
        /* fre; prop; hb* is irreflexive */
        if (!is_store && event->from != WEAK_LATE) {
            weak_set overwritten = 0;
            weak_each(store, weak_at_place(event->at, event->size) & weak_graph.stores & ~weak_own(weak_thread(e)))
                if (event->from == WEAK_FIRST || weak_has(weak_event(store)->earlier, event->from))
                    overwritten |= weak_one(store);
            if (overwritten & (strong | (weak & weak_graph.stores))) weak_graph.broken = 1;
        }
        /* co | prop is acyclic */
        order[e] = strong | (is_store ? event->earlier | (base[e] & weak_graph.stores) : 0);
        exclusive[e] = event->earlier;
        if (weak_has(weak_graph.exclusives, e)) exclusive[e] |= event->past & weak_graph.exclusives;
        reserving[e] = com[e];
        if (weak_has(rmw, e)) reserving[e] |= event->past & rmw;
    }
    if (weak_is_cyclic(order) || (weak_graph.exclusives && (weak_is_cyclic(exclusive) || weak_is_cyclic(reserving))))
        weak_graph.broken = 1;
}

/* A load reads from a store, if it is one. What follows it in its thread may be ordered by that. */
static inline void weak_communicate(int from, int load, weak_set later) {
    (void)later;
    if (from != WEAK_FIRST && weak_thread(from) != weak_thread(load)) weak_order(weak_one(from), load);
    int end = weak_thread(load) * WEAK_EVENTS + weak_graph.count[weak_thread(load)];
    for (int number = load; number < end; number++) weak_preserve(number);
    weak_check_propagation();
}

static inline void weak_replace(int store, weak_set readers, weak_set later) {
    (void)store, (void)readers, (void)later;
    weak_check_propagation();
}
