// A function that is declared by hand before a header is included that needs the same types.
extern void abort(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern unsigned long strlen(const char *);
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    char *text = malloc(3);
    if (pthread_mutex_lock(&mutex)) abort();
    text[0] = 'a', text[1] = 0;
    printf("%d\n", (int)strlen(text));
    pthread_mutex_unlock(&mutex);
    free(text);
    return 0;
}
