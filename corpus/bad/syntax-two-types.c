// Words that do not make a type together.
unsigned char int x;
long char y;
int main(void) { return 0; }
