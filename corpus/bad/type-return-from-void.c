// A value returned where none is wanted, and none where one is.
void f(void) { return 1; }
int g(void) { return; }
int main(void) { return 0; }
