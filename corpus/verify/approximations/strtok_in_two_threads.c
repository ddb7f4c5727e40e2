// Two threads split texts of their own with strtok.
//@ rc11: race fails: strtok keeps its place in one object for all threads (S-037)
#include <pthread.h>
#include <string.h>

static void *split(void *text) {
    strtok(text, " ");
    return 0;
}

int main(void) {
    static char one[] = "a b", two[] = "c d";
    pthread_t p, q;
    pthread_create(&p, 0, split, one);
    pthread_create(&q, 0, split, two);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
