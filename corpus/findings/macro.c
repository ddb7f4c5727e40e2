// The place is shown where the user wrote it, also through macros.
#define FIRST(list) ((list)->head->value)

struct node { int value; };
struct list { struct node *head; };

int main(void) {
    struct list empty = {0};
    return FIRST(&empty);
}
