// A function declared with two types.
int f(int x);
long f(int x);
int main(void) { return 0; }
