// Reads through a null pointer.
struct node { int value; struct node *next; };

static int second(struct node *list) { return list->next->value; }

int main(void) {
    struct node only = {1, 0};
    return second(&only);
}
