// A struct definition without its semicolon.
struct node { int value; struct node *next; }
int main(void) { return 0; }
