// Writes to what is const: a variable, through a pointer, and a member.
struct config { const int size; };
int main(void) {
    const int x = 1;
    const int *p = &x;
    struct config c = {4};
    x = 2;
    *p = 3;
    c.size++;
    return x;
}
