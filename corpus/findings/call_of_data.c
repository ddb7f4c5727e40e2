// Calls an object as if it were a function.
static int data[4];

int main(void) { return ((int (*)(void))data)(); }
