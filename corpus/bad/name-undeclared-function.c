// A function that was never declared, and one whose header was forgotten.
int main(void) {
    int *p = malloc(sizeof *p);
    enqueue(p);
    return 0;
}
