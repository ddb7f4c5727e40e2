// Calls through a null pointer.
static int (*operation)(int);

int main(void) { return operation(1); }
