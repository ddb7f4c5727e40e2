// A file table: each thread takes an inode by its number and, if it is free, the next free block.
// Many locks and accesses, few executions: threads whose inodes differ meet at the blocks only.
#include <pthread.h>
#ifndef N
#define N 4
#endif
#define INODES 8
#define BLOCKS 6
pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
int inode[INODES], busy[BLOCKS];

static void *allocate(void *argument) {
    long number = (long)argument;
    int i = number % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % BLOCKS;
        for (int tries = 0; tries < 2; tries++) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_lock[i], 0);
    for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_lock[i], 0);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, allocate, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
