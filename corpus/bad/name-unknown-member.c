// A member that the struct does not have.
struct node { int value; struct node *next; };
int main(void) {
    struct node n = {1, 0};
    return n.valeu;
}
