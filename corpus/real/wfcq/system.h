/* What a library of user-space synchronisation calls the machine. */
#ifndef SYSTEM_H
#define SYSTEM_H

#define caa_container_of(ptr, type, member)                                                        \
    __extension__({                                                                                \
        const __typeof__(((type *)NULL)->member) *__ptr = (ptr);                                   \
        (type *)((char *)__ptr - __builtin_offsetof(type, member));                                \
    })
#define CMM_ACCESS_ONCE(x) (*(__volatile__ __typeof__(x) *)&(x))
#define CMM_LOAD_SHARED(p) CMM_ACCESS_ONCE(p)
#define CMM_STORE_SHARED(x, v) __extension__({ CMM_ACCESS_ONCE(x) = (v); })

#ifdef CONFIG_C11
#define uatomic_xchg(addr, v) __atomic_exchange_n(addr, v, EXCHANGED)
#define publish(x, v) __atomic_store_n(&(x), v, PUBLISH)
#define consume(x) __atomic_load_n(&(x), __ATOMIC_CONSUME)
#define cmm_smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#ifdef CONFIG_WEAK
#define PUBLISH __ATOMIC_RELAXED
#define EXCHANGED __ATOMIC_RELAXED
#else
#define PUBLISH __ATOMIC_RELEASE
#define EXCHANGED __ATOMIC_SEQ_CST
#endif
#else
#error "CONFIG_C11 comes from the compiler's flags"
#endif

#define caa_cpu_relax() __asm__ __volatile__("" : : : "memory")

#endif
