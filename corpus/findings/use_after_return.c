// Hands out the address of a local variable.
static int *counter(void) {
    int count = 0;
    int *result = &count;
    return result;
}

int main(void) { return *counter(); }
