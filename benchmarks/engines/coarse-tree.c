// A binary search tree under one lock: each thread inserts two keys.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct node { int key; struct node *left, *right; };
struct node *root;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void insert(int key) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->left = fresh->right = 0;
    pthread_mutex_lock(&lock);
    struct node **at = &root;
    while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    if (!*at) *at = fresh;
    pthread_mutex_unlock(&lock);
}

static void *run(void *argument) {
    long number = (long)argument;
    insert(2 * number + 1);
    insert(2 * (N - number));
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(root);
    return 0;
}
