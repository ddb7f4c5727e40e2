// A conversion that vsnprintf does not know here (S-036): nothing is wrong with the program, and
// nothing is known about what follows.
//@ all: rest cut: executions end at the conversion
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char text[16];
static int x;

static int put(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return length;
}

static void *writes(void *unused) {
    put("%a", 1.0);
    assert(x == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    pthread_join(thread, NULL);
    return 0;
}
