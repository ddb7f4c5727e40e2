// Threads that each take an inode and look for a free block, everything under a lock of its own:
// after the example of Flanagan and Godefroid, "Dynamic partial-order reduction for model checking
// software" (POPL 2005). Many events, and few executions that differ. -D THREADS=12
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 8
#endif
#define BLOCKS 26
#define INODES 32

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int block_of[INODES]; // 0: none
static int taken[BLOCKS];

static void *create(void *argument)
{
    int inode = (int)(long)argument % INODES;
    pthread_mutex_lock(&inode_lock[inode]);
    if (!block_of[inode]) {
        int block = inode * 2 % BLOCKS;
        for (int tries = 0; tries < BLOCKS; tries++) {
            pthread_mutex_lock(&block_lock[block]);
            if (!taken[block]) {
                taken[block] = 1;
                block_of[inode] = block + 1;
                pthread_mutex_unlock(&block_lock[block]);
                break;
            }
            pthread_mutex_unlock(&block_lock[block]);
            block = (block + 1) % BLOCKS;
        }
    }
    assert(block_of[inode]);
    pthread_mutex_unlock(&inode_lock[inode]);
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_lock[i], 0);
    for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_lock[i], 0);
    for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, create, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
    return 0;
}
