// A static variable whose initial value must be computed.
int f(void) { return 3; }
int x = f();
int y = 1;
int z = y + 1;
int main(void) { return x; }
