// Two threads fill the rows of a matrix whose size is known only when the program runs.
//@ all: holds: each thread writes its own row, and both have ended when they are added
#include <assert.h>
#include <pthread.h>

struct part {
    int columns, row;
    int *numbers;
};

static void fill(int rows, int columns, int matrix[rows][columns], int row) {
    for (int i = 0; i < columns; i++) matrix[row][i] = row + i;
}

static void *work(void *argument) {
    struct part *part = argument;
    int columns = part->columns;
    int(*matrix)[columns] = (int(*)[2])part->numbers;
    fill(2, columns, matrix, part->row);
    return NULL;
}

int main(void) {
    volatile int two = 2;
    int rows = two, columns = two;
    int matrix[rows][columns];
    struct part parts[2] = { { columns, 0, matrix[0] }, { columns, 1, matrix[0] } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &parts[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(matrix[0][0] + matrix[0][1] + matrix[1][0] + matrix[1][1] == 4);
    return 0;
}
