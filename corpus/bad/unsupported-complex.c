// Complex numbers.
_Complex double z;
int main(void) { return 0; }
