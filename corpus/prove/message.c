/* A message that is sent once, and read where it has arrived. */
#define FENCEPOST_NO_DIALECT
#include <fencepost.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

void init(void) { atomic_init(&flag, 0); }

void send(void) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) return;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
}

void receive(void) {
    int arrived = atomic_load_explicit(&flag, memory_order_acquire);
    fp_observe("message", arrived ? data : -1);
}
