static inline void weak_thread_fence(int order) {
    int acquires = order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ? WEAK_LOAD_LOAD | WEAK_LOAD_STORE : 0;
    int releases = weak_releases(order) ? WEAK_LOAD_STORE | WEAK_STORE_STORE : 0;
    int all = order == __ATOMIC_SEQ_CST ? WEAK_LOAD_LOAD | WEAK_STORE_LOAD : 0;
    weak_fence(acquires | releases | all);
}
