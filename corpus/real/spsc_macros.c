// A queue of one producer and one consumer that is made by a macro for its type, with operations that
// are statement expressions over it (the style of Zephyr).
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ verify FILE -DWEAK --property assert --model tso --model armv8 --model rc11
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef long atomic_t;
typedef atomic_t atomic_val_t;

#ifdef WEAK
#define ORDER_SET __ATOMIC_RELAXED
#else
#define ORDER_SET __ATOMIC_SEQ_CST
#endif

static inline atomic_val_t atomic_get(const atomic_t *target) {
    return __atomic_load_n(target, __ATOMIC_SEQ_CST);
}

static inline atomic_val_t atomic_set(atomic_t *target, atomic_val_t value) {
    return __atomic_exchange_n(target, value, ORDER_SET);
}

static inline atomic_val_t atomic_add(atomic_t *target, atomic_val_t value) {
    return __atomic_fetch_add(target, value, ORDER_SET);
}

#define IS_POWER_OF_TWO(x) (((x) != 0U) && (((x) & ((x) - 1U)) == 0U))
#define BUILD_ASSERT(EXPR, MSG...) _Static_assert((EXPR), "" MSG)

struct spsc {
    unsigned long acquire, consume;
    atomic_t in, out;
    const unsigned long mask;
};

#define SPSC_INITIALIZER(sz, buf) { ._spsc = { .acquire = 0, .consume = 0, .in = 0, .out = 0, .mask = (sz) - 1 }, .buffer = buf }
#define SPSC_DECLARE(name, type)                                                                   \
    static struct spsc_##name {                                                                    \
        struct spsc _spsc;                                                                         \
        type *const buffer;                                                                        \
    }
#define SPSC_DEFINE(name, type, sz)                                                                \
    BUILD_ASSERT(IS_POWER_OF_TWO(sz), "a size that is a power of two");                            \
    static type __spsc_buf_##name[sz];                                                             \
    SPSC_DECLARE(name, type) name = SPSC_INITIALIZER(sz, __spsc_buf_##name)

#define spsc_size(q) ((q)->_spsc.mask + 1)
#define z_spsc_mask(q, i) ((i) & (q)->_spsc.mask)
#define z_spsc_in(q) ((unsigned long)atomic_get(&(q)->_spsc.in))
#define z_spsc_out(q) ((unsigned long)atomic_get(&(q)->_spsc.out))

#define spsc_acquire(q)                                                                            \
    ({                                                                                             \
        unsigned long idx = z_spsc_in(q) + (q)->_spsc.acquire;                                     \
        bool acq = (idx - z_spsc_out(q)) < spsc_size(q);                                           \
        if (acq) (q)->_spsc.acquire += 1;                                                          \
        acq ? &((q)->buffer[z_spsc_mask(q, idx)]) : NULL;                                          \
    })
#define spsc_produce(q)                                                                            \
    ({                                                                                             \
        if ((q)->_spsc.acquire > 0) {                                                              \
            (q)->_spsc.acquire -= 1;                                                               \
            atomic_add(&(q)->_spsc.in, 1);                                                         \
        }                                                                                          \
    })
#define spsc_consume(q)                                                                            \
    ({                                                                                             \
        unsigned long idx = z_spsc_out(q) + (q)->_spsc.consume;                                    \
        bool has_consumable = (idx != z_spsc_in(q));                                               \
        if (has_consumable) (q)->_spsc.consume += 1;                                               \
        has_consumable ? &((q)->buffer[z_spsc_mask(q, idx)]) : NULL;                               \
    })
#define spsc_release(q)                                                                            \
    ({                                                                                             \
        if ((q)->_spsc.consume > 0) {                                                              \
            (q)->_spsc.consume -= 1;                                                               \
            atomic_add(&(q)->_spsc.out, 1);                                                        \
        }                                                                                          \
    })

#include <stdbool.h>

struct sample {
    short channel;
    int value;
    void *user;
};

SPSC_DEFINE(samples, struct sample, 2);

static void *sensor(void *user) {
    for (int i = 1; i <= 2; i++) {
        struct sample *s = spsc_acquire(&samples);
        if (!s) break;
        *s = (struct sample){ .channel = 1, .value = 10 * i, .user = user };
        spsc_produce(&samples);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    int last = 0;
    pthread_create(&thread, NULL, sensor, &last);
    for (int i = 0; i < 2; i++) {
        struct sample *s = spsc_consume(&samples);
        if (!s) continue;
        assert(s->channel == 1 && s->value == last + 10 && s->user == &last);
        last = s->value;
        spsc_release(&samples);
    }
    pthread_join(thread, NULL);
    return 0;
}
