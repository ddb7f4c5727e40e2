// An array of functions, and a function that returns an array.
int f[3](void);
int g(void)[3];
int main(void) { return 0; }
