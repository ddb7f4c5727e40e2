// A program opens more named semaphores than there are places for.
//@ all: rest cut: executions end at the ninth name (S-040)
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    char name[] = "/a";
    for (int i = 0; i < 9; i++) {
        name[1] = 'a' + i;
        sem_t *opened = sem_open(name, O_CREAT, 0600, 1);
        assert(opened != SEM_FAILED);
    }
    return 0;
}
