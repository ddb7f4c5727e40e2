@weak_load_explicit
/* A load with a memory order. */
#define weak_load_explicit(order, ...) ({ \
    __auto_type weak_from = &(__VA_ARGS__); \
    (weak_type(*weak_from))weak_read((void *)weak_from, sizeof *weak_from, (order), weak_site); })

@weak_load
/* A load of a variable. */
@BUFFERS#define weak_load(...) ({ \
@BUFFERS    __auto_type weak_at = &(__VA_ARGS__); \
@BUFFERS    (weak_type(*weak_at))weak_read((void *)weak_at, sizeof *weak_at); })
@GRAPH#define weak_load(...) weak_load_explicit(WEAK_PLAIN, __VA_ARGS__)

@weak_load_seq_cst
/* A load of an _Atomic variable by its name. */
@BUFFERS#define weak_load_seq_cst(...) weak_load(__VA_ARGS__)
@GRAPH#define weak_load_seq_cst(...) weak_load_explicit(__ATOMIC_SEQ_CST, __VA_ARGS__)

@weak_store_explicit
/* A store with a memory order; the result is the value. */
#define weak_store_explicit(variable, order, ...) ({ \
    __auto_type weak_at = &(variable); \
    weak_type(*weak_at) weak_value = (__VA_ARGS__); \
@BUFFERS    weak_write((void *)weak_at, sizeof *weak_at, (weak_bits)weak_value, (order)); \
@GRAPH    weak_write((void *)weak_at, sizeof *weak_at, (weak_bits)weak_value, (order), weak_site); \
    weak_value; })

@weak_store
/* variable = value */
@BUFFERS#define weak_store(variable, ...) weak_store_explicit(variable, __ATOMIC_RELAXED, __VA_ARGS__)
@GRAPH#define weak_store(variable, ...) weak_store_explicit(variable, WEAK_PLAIN, __VA_ARGS__)

@weak_store_seq_cst
/* variable = value, of an _Atomic variable. */
#define weak_store_seq_cst(variable, ...) \
    weak_store_explicit(variable, __ATOMIC_SEQ_CST, __VA_ARGS__)

@weak_step
/* A load, and a store of what is computed from it; the result is the old value or the new one. */
#define weak_step(variable, operator, result, ...) ({ \
    __auto_type weak_operand = (__VA_ARGS__); \
    __auto_type weak_at = &(variable); \
    weak_type(*weak_at) weak_old = \
@BUFFERS        (weak_type(*weak_at))weak_read((void *)weak_at, sizeof *weak_at); \
@GRAPH        (weak_type(*weak_at))weak_read((void *)weak_at, sizeof *weak_at, WEAK_PLAIN, weak_site); \
    weak_type(*weak_at) weak_new = (weak_type(*weak_at))(weak_old operator weak_operand); \
@BUFFERS    weak_write((void *)weak_at, sizeof *weak_at, (weak_bits)weak_new, __ATOMIC_RELAXED); \
@GRAPH    weak_write((void *)weak_at, sizeof *weak_at, (weak_bits)weak_new, WEAK_PLAIN, weak_site); \
    (void)weak_old; \
    result; })

@weak_update
/* variable operator= value: a load and a store. */
#define weak_update(variable, operator, ...) weak_step(variable, operator, weak_new, __VA_ARGS__)

@weak_post_update
/* variable++ and variable--: the result is the old value. */
#define weak_post_update(variable, operator, ...) \
    weak_step(variable, operator, weak_old, __VA_ARGS__)

@weak_modify
/* A read-modify-write: computes the new value, and what results. */
@BUFFERS#define weak_modify(object, operand, order, new, result) ({ \
@GRAPH#define weak_modify(object, operand, order, does, new, result) ({ \
    __auto_type weak_at = (object); \
    __auto_type weak_operand = (operand); \
    int weak_order = (order); \
    weak_type(*weak_at) weak_old = (weak_type(*weak_at))weak_begin_update( \
@BUFFERS        (void *)weak_at, sizeof *weak_at, weak_order); \
@GRAPH        (void *)weak_at, sizeof *weak_at, weak_order, weak_site); \
    weak_type(*weak_at) weak_new = (weak_type(*weak_at))(new); \
@BUFFERS    weak_end_update((void *)weak_at, sizeof *weak_at, (weak_bits)weak_new, weak_order); \
@GRAPH    weak_end_update((void *)weak_at, sizeof *weak_at, (weak_bits)weak_new, weak_order, weak_site, does); \
    (void)weak_old; \
    result; })

@weak_update_seq_cst
/* variable operator= value, of an _Atomic variable. */
#define weak_update_seq_cst(variable, operator, ...) \
@BUFFERS    weak_modify(&(variable), (__VA_ARGS__), __ATOMIC_SEQ_CST, weak_old operator weak_operand, weak_new)
@GRAPH    weak_modify(&(variable), (__VA_ARGS__), __ATOMIC_SEQ_CST, WEAK_COMPUTES, weak_old operator weak_operand, weak_new)

@weak_post_update_seq_cst
/* variable++ and variable--, of an _Atomic variable. */
#define weak_post_update_seq_cst(variable, operator, ...) \
@BUFFERS    weak_modify(&(variable), (__VA_ARGS__), __ATOMIC_SEQ_CST, weak_old operator weak_operand, weak_old)
@GRAPH    weak_modify(&(variable), (__VA_ARGS__), __ATOMIC_SEQ_CST, WEAK_COMPUTES, weak_old operator weak_operand, weak_old)

@weak_cas
/* A compare-and-swap; a weak one may fail without a reason. */
#define weak_cas(object, wanted, desired, weak, success, failure, found, result) ({ \
    __auto_type weak_at = (object); \
    weak_type(*weak_at) weak_wanted = (wanted); \
    weak_type(*weak_at) weak_value = (desired); \
@BUFFERS    int weak_order = (failure) == __ATOMIC_SEQ_CST ? __ATOMIC_SEQ_CST : (success); \
@GRAPH    int weak_order = weak_join_orders((success), (failure)); \
    weak_type(*weak_at) weak_old = (weak_type(*weak_at))weak_begin_update( \
@BUFFERS        (void *)weak_at, sizeof *weak_at, weak_order); \
@GRAPH        (void *)weak_at, sizeof *weak_at, weak_order, weak_site); \
    _Bool weak_same = weak_old == weak_wanted && !((weak) && weak_choose(0, 1)); \
    if (weak_same) \
@BUFFERS        weak_end_update((void *)weak_at, sizeof *weak_at, (weak_bits)weak_value, weak_order); \
@GRAPH        weak_end_update((void *)weak_at, sizeof *weak_at, (weak_bits)weak_value, weak_order, weak_site, WEAK_COMPARES); \
    else { \
@BUFFERS        weak_fail_update((failure) == __ATOMIC_RELAXED ? __ATOMIC_RELAXED : weak_order); \
@GRAPH        weak_fail_update(weak_order, (failure)); \
        found; \
    } \
    result; })
