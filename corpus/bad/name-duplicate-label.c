// One label twice.
int main(void) {
    int n = 0;
again:
    if (n++ < 3) goto again;
again:
    return n;
}
