// Numbers of another format.
long double mean(int a, int b) { return (a + b) / 2.0; }
int main(void) { return mean(1, 2) > 1.0L; }
