#pragma once
#include <stdatomic.h>

typedef atomic_int word;
#ifdef RELAXED
#define STORE_ORDER memory_order_relaxed
#else
#define STORE_ORDER memory_order_release
#endif
static inline void word_store(word *w, int value) { atomic_store_explicit(w, value, STORE_ORDER); }
static inline int word_load(word *w) { return atomic_load_explicit(w, memory_order_acquire); }
