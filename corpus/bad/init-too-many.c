// More initialisers than elements.
int a[2] = {1, 2, 3};
struct s { int x; } s = {1, 2};
char text[3] = "four";
int main(void) { return 0; }
