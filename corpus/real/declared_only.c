// Headers that only declare, and small things that gcc has: what is called is what matters.
//$ verify FILE --model sc --model armv8
//$ verify FILE --model sc -DCALLED
#include <assert.h>
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/cdefs.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>

__BEGIN_DECLS
static inline int waits(int fd) {
    struct pollfd one = { .fd = fd, .events = POLLIN };
    return poll(&one, 1, -1);
}
static inline void *maps(size_t size) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static inline long seeds(void *to, size_t size) { return getrandom(to, size, 0); }
static inline DIR *lists(const char *name) { return opendir(name); }
__END_DECLS

static _Thread_local int own;
static void *self[2];

static void *runs(void *which) {
    self[*(int *)which] = __builtin_thread_pointer();
    own = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int first = 0, second = 1;
    char from[8] = "fence", to[8] = "post";
    pthread_create(&thread, NULL, runs, &first);
    runs(&second);
    pthread_join(thread, NULL);
    assert(self[0] != self[1] && self[1] == __builtin_thread_pointer());
    assert(memcpy_s(to, sizeof to, from, 6) == 0 && strcmp(to, "fence") == 0);
    assert(memcpy_s(to, 4, from, 6) != 0 && to[0] == '\0');
#ifdef CALLED
    return maps(4096) == MAP_FAILED;
#endif
    return 0;
}
