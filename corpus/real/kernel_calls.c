// Message passing in the words of Dartagnan's <lkmm.h>, which a program that was preprocessed with
// it carries along.
//$ verify FILE --model lkmm --model sc --property assert
//$ verify FILE --model lkmm --property assert -DWEAK
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef enum __LKMM_memory_order {
    __LKMM_once, __LKMM_acquire, __LKMM_release, __LKMM_mb, __LKMM_wmb, __LKMM_rmb,
    __LKMM_rcu_lock, __LKMM_rcu_unlock, __LKMM_rcu_sync, __LKMM_before_atomic,
    __LKMM_after_atomic, __LKMM_after_spinlock, __LKMM_barrier,
} __LKMM_memory_order;
typedef enum __LKMM_operation {
    __LKMM_op_add, __LKMM_op_sub, __LKMM_op_and, __LKMM_op_or,
} __LKMM_operation;
typedef __typeof__(sizeof(int)) __LKMM_size_t;
typedef intmax_t __LKMM_int_t;
extern __LKMM_int_t __LKMM_load(const volatile void *, __LKMM_size_t, __LKMM_memory_order);
extern void __LKMM_store(volatile void *, __LKMM_size_t, __LKMM_int_t, __LKMM_memory_order);
extern __LKMM_int_t __LKMM_cmpxchg(volatile void *, __LKMM_size_t, __LKMM_int_t, __LKMM_int_t,
                                   __LKMM_memory_order, __LKMM_memory_order);
extern __LKMM_int_t __LKMM_atomic_op_return(volatile void *, __LKMM_size_t, __LKMM_int_t,
                                            __LKMM_memory_order, __LKMM_operation);
extern void __LKMM_fence(__LKMM_memory_order);

#define LOAD(p, order) ((__typeof__(*(p)))__LKMM_load(p, sizeof(*(p)), __LKMM_##order))
#define STORE(p, value, order) __LKMM_store(p, sizeof(*(p)), (__LKMM_int_t)(value), __LKMM_##order)

#define LOAD_IN(p, order) LOAD(p, order)

#ifdef WEAK
#define ORDER once
#else
#define ORDER acquire
#endif

short data;
int flag, count;

static void *sends(void *unused) {
    STORE(&data, -7, once);
    __LKMM_fence(__LKMM_wmb);
    STORE(&flag, 1, once);
    __LKMM_atomic_op_return(&count, sizeof count, 2, __LKMM_mb, __LKMM_op_add);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sends, NULL);
    if (LOAD_IN(&flag, ORDER)) assert(LOAD(&data, once) == -7);
    int seen = __LKMM_cmpxchg(&count, sizeof count, 2, 9, __LKMM_mb, __LKMM_mb);
    assert(seen == 0 || seen == 2);
    pthread_join(thread, NULL);
    assert(LOAD(&count, once) == (seen == 2 ? 9 : 2));
    return 0;
}
