// A statement at file scope.
int x;
x = 3;
while (x) x--;
int main(void) { return 0; }
