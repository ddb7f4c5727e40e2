// A string literal that is not closed on its line.
int main(void) {
    const char *name = "queue;
    return name[0];
}
