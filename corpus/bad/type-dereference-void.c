// What void points to has no size.
int main(void) {
    int x = 1;
    void *p = &x;
    return *p;
}
