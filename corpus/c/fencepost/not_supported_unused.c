// What is not supported does not matter where no execution reaches it.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

typedef int vector __attribute__((vector_size(16)));

static inline vector twice(vector v) { return v + v; }
static inline long double half(long double x) { return x / 2; }
static inline int leaf(void) {
    int id;
    __asm__ volatile("cpuid" : "=a"(id) : : "ebx", "ecx", "edx");
    return id;
}
static inline void die(const char *why) {
    fprintf(stderr, why);
    abort();
}
static inline void *pages(void) { return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0); }
static int wait_for(int fd) {
    struct pollfd one = { .fd = fd, .events = POLLIN };
    return poll(&one, 1, -1);
}

int main(void) {
    volatile int never = 0;
    int value = never ? wait_for(1) : 3;
    if (never && leaf() > 3) die("no");
    switch (never) {
    case 1: {
        vector v = { 1, 2, 3, 4 };
        printf("%d\n", v[0]);
        break;
    }
    case 0: printf("fine %d\n", value); break;
    }
    return 0;
}
