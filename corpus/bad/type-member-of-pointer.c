// A dot where an arrow belongs, and an arrow where a dot belongs.
struct node { int value; };
int main(void) {
    struct node n = {1}, *p = &n;
    return p.value + n->value;
}
