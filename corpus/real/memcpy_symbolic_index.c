// Elements are copied through `void *` to a slot whose index is read from memory.
//$ check FILE --test '( e | d )' --model sc --model tso --model armv8 --model power --model rc11
//$ check FILE -DCAST --test '( e | d )' --model sc --model tso --model armv8 --model power --model rc11
#include <fencepost.h>
#include <string.h>
static int slot[2]; static volatile int idx;
void init(void) { }
#ifdef CAST
static void put(void *buffer, const void *entry, unsigned ts) { memcpy((char *)buffer + ts * (idx & 1), entry, ts); }
static void get(const void *buffer, void *entry, unsigned ts) { memcpy(entry, (const char *)buffer + ts * (idx & 1), ts); }
#else
static void put(void *buffer, const void *entry, unsigned ts) { buffer = (char *)buffer + ts * (idx & 1); memcpy(buffer, entry, ts); }
static void get(const void *buffer, void *entry, unsigned ts) { buffer = (const char *)buffer + ts * (idx & 1); memcpy(entry, buffer, ts); }
#endif
void e(void) { int v = fp_choose(0, 1) ? 0x0102 : 0x0201; fp_observe("value", v); put(slot, &v, sizeof v); }
void d(void) { int v; get(slot, &v, sizeof v); fp_observe("taken", v); }
