// An element that is copied through `void *` to a computed slot is copied member by member: a reader
// without a lock may see one member old and the other new.
//$ check FILE --test '( put | get )' --model sc --model tso --model armv8 --model power --model rc11
#include <fencepost.h>
#include <string.h>

struct pair { int key, value; };
static struct pair slots[2];
static volatile unsigned index;

static void copy(void *to, const void *from, unsigned size) { memcpy(to, from, size); }
static void *slot(void *buffer, unsigned size) { return (char *)buffer + size * (index & 1); }

void init(void) { }
void put(void) {
    struct pair p;
    p.key = 1;
    p.value = 10;
    copy(slot(slots, sizeof p), &p, sizeof p);
}
void get(void) {
    struct pair p;
    copy(&p, slot(slots, sizeof p), sizeof p);
    fp_observe("key", p.key);
    fp_observe("value", p.value);
}
