
/* A load reads from a store, if it is one, and these stores are later in coherence order. What a
   thread reads from itself may still wait in it. */
static inline void weak_communicate(int from, int load, weak_set later) {
    if (from != WEAK_FIRST && weak_thread(from) != weak_thread(load)) weak_order(weak_one(from), load);
    weak_each(store, later) weak_order(weak_one(load), store);
}

/* A store comes after what is earlier in coherence order and the loads that read from there, and before
   what is later. */
static inline void weak_replace(int store, weak_set readers, weak_set later) {
    weak_order(weak_event(store)->earlier | readers, store);
    weak_each(other, later) weak_order(weak_one(store), other);
}
