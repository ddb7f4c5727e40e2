// A struct inside itself.
struct node { int value; struct node next; };
int main(void) { return 0; }
