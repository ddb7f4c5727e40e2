// A sorted list with a lock in each node, taken hand over hand: each thread inserts a key.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct node { int key; struct node *next; pthread_mutex_t lock; };
struct node first, last;

static void insert(int key) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    pthread_mutex_init(&fresh->lock, 0);
    struct node *before = &first;
    pthread_mutex_lock(&before->lock);
    struct node *at = before->next;
    pthread_mutex_lock(&at->lock);
    while (at->key < key) {
        pthread_mutex_unlock(&before->lock);
        before = at;
        at = at->next;
        pthread_mutex_lock(&at->lock);
    }
    fresh->next = at;
    before->next = fresh;
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

static void *run(void *argument) {
    insert((int)(long)argument + 1);
    return 0;
}

int main(void) {
    pthread_t t[N];
    pthread_mutex_init(&first.lock, 0);
    pthread_mutex_init(&last.lock, 0);
    first.key = 0;
    last.key = 100;
    first.next = &last;
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    int count = 0;
    for (struct node *at = first.next; at != &last; at = at->next) count++;
    assert(count == N);
    return 0;
}
