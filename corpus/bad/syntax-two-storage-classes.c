// A variable that is static and extern.
static extern int x;
int main(void) { return 0; }
