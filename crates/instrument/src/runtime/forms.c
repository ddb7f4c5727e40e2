@weak_load
/* A load of a variable. */
#define weak_load(...) ({ \
    __auto_type weak_at = &(__VA_ARGS__); \
    (weak_type(*weak_at))weak_read((void *)weak_at, sizeof *weak_at); })

@weak_load_seq_cst
/* A load of an _Atomic variable by its name. */
#define weak_load_seq_cst(...) weak_load(__VA_ARGS__)

@weak_store_explicit
/* A store with a memory order; the result is the value. */
#define weak_store_explicit(variable, order, ...) ({ \
    __auto_type weak_at = &(variable); \
    weak_type(*weak_at) weak_value = (__VA_ARGS__); \
    weak_write((void *)weak_at, sizeof *weak_at, (weak_bits)weak_value, (order)); \
    weak_value; })

@weak_store
/* variable = value */
#define weak_store(variable, ...) weak_store_explicit(variable, __ATOMIC_RELAXED, __VA_ARGS__)

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
        (weak_type(*weak_at))weak_read((void *)weak_at, sizeof *weak_at); \
    weak_type(*weak_at) weak_new = (weak_type(*weak_at))(weak_old operator weak_operand); \
    weak_write((void *)weak_at, sizeof *weak_at, (weak_bits)weak_new, __ATOMIC_RELAXED); \
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
#define weak_modify(object, operand, order, new, result) ({ \
    __auto_type weak_at = (object); \
    __auto_type weak_operand = (operand); \
    int weak_order = (order); \
    weak_type(*weak_at) weak_old = (weak_type(*weak_at))weak_begin_update( \
        (void *)weak_at, sizeof *weak_at, weak_order); \
    weak_type(*weak_at) weak_new = (weak_type(*weak_at))(new); \
    weak_end_update((void *)weak_at, sizeof *weak_at, (weak_bits)weak_new, weak_order); \
    (void)weak_old; \
    result; })

@weak_update_seq_cst
/* variable operator= value, of an _Atomic variable. */
#define weak_update_seq_cst(variable, operator, ...) \
    weak_modify(&(variable), (__VA_ARGS__), __ATOMIC_SEQ_CST, weak_old operator weak_operand, weak_new)

@weak_post_update_seq_cst
/* variable++ and variable--, of an _Atomic variable. */
#define weak_post_update_seq_cst(variable, operator, ...) \
    weak_modify(&(variable), (__VA_ARGS__), __ATOMIC_SEQ_CST, weak_old operator weak_operand, weak_old)

@weak_cas
/* A compare-and-swap; a weak one may fail without a reason. */
#define weak_cas(object, wanted, desired, weak, success, failure, found, result) ({ \
    __auto_type weak_at = (object); \
    weak_type(*weak_at) weak_wanted = (wanted); \
    weak_type(*weak_at) weak_value = (desired); \
    int weak_order = (failure) == __ATOMIC_SEQ_CST ? __ATOMIC_SEQ_CST : (success); \
    weak_type(*weak_at) weak_old = (weak_type(*weak_at))weak_begin_update( \
        (void *)weak_at, sizeof *weak_at, weak_order); \
    _Bool weak_same = weak_old == weak_wanted && !((weak) && weak_choose(0, 1)); \
    if (weak_same) \
        weak_end_update((void *)weak_at, sizeof *weak_at, (weak_bits)weak_value, weak_order); \
    else { \
        weak_fail_update((failure) == __ATOMIC_RELAXED ? __ATOMIC_RELAXED : weak_order); \
        found; \
    } \
    result; })
