// A variable-length array at file scope.
int length = 3;
int outside[length];
int main(void) { return 0; }
