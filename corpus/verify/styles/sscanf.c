// Numbers and a word are read from text in memory.
//@ all: holds: the text is what it is
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int number;
static unsigned long large;
static char word[8];

static void *parse(void *text) {
    int found = sscanf(text, "%d, %lx %7s", &number, &large, word);
    assert(found == 3);
    return NULL;
}

int main(void) {
    static char text[] = " -12, 0xff ab cd";
    pthread_t thread;
    pthread_create(&thread, NULL, parse, text);
    pthread_join(thread, NULL);
    assert(number == -12 && large == 255 && strcmp(word, "ab") == 0);
    assert(sscanf("x", "%d", &number) == 0 && sscanf("", "%d", &number) == EOF);
    return 0;
}
