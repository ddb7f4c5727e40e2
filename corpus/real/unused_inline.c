// What is not supported does not matter in functions that no execution calls.
//$ verify FILE --model sc
#include <stdio.h>
#include <stdlib.h>
static inline unsigned long tsc(void) { unsigned long a, d; __asm__ volatile("rdtsc" : "=a"(a), "=d"(d)); return d << 32 | a; }
static inline void die(const char *why) { fprintf(stderr, why); abort(); }
static inline int lookup(const char *f) { return fopen(f, "r") != NULL; }
int main(void) { return 0; }
