// A type that was never declared.
struct node { int value; };
int count(node *list, lenght_t n) { return 0; }
typedef unsigned length_t;
int main(void) { return 0; }
