// An element of a variable-length array is written when the scope of the array has ended, and an
// index leaves its row inside the array.
//@ all: holds: the array is a block until its function returns (S-024), so neither error is found
static int *last;

static int fill(int size) {
    {
        int numbers[2][size];
        for (int i = 0; i < size; i++)
            numbers[0][i] = numbers[1][i] = i;
        numbers[0][size] = 7;
        last = &numbers[1][0];
    }
    return *last;
}

int main(void) {
    return fill(2) == 7 ? 0 : 1;
}
