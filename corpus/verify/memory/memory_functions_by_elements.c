// Arrays of numbers, characters and pointers that threads fill, move, compare and enlarge.
//@ all: holds: each thread has its own arrays, and the last one is handed over by a join
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[8];
static int numbers[4], count = 2;
static int *table[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *letters(void *argument) {
    pthread_mutex_lock(&mutex);
    memcpy(text, "hello", 6);
    memmove(text + 1, text, 3);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *figures(void *argument) {
    int one[2] = { 256, 3 }, *grown = malloc(sizeof *grown);
    pthread_mutex_lock(&mutex);
    memset(numbers, 0xff, count * sizeof *numbers);
    memcpy(numbers + 2, one, sizeof one);
    memmove(numbers + 1, numbers + 2, count * sizeof *numbers);
    assert(memcmp(numbers + 1, one, sizeof one) == 0);
    numbers[2] = 255;
    assert(memcmp(numbers + 1, numbers + 2, sizeof *numbers) < 0);
    pthread_mutex_unlock(&mutex);
    grown[0] = 5;
    grown = realloc(grown, 2 * sizeof *grown);
    grown[1] = 6;
    table[0] = grown;
    memcpy(&table[1], &table[0], sizeof(int *));
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, letters, NULL);
    pthread_create(&b, NULL, figures, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(strcmp(text, "hhelo") == 0);
    assert(numbers[0] == -1 && numbers[1] == 256 && numbers[2] == 255 && numbers[3] == 3);
    assert(*table[1] == 5 && table[1][1] == 6);
    free(table[0]);
    return 0;
}
