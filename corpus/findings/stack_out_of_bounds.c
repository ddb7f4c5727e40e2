// Writes before the start of a local array.
int main(void) {
    int ring[4] = {0};
    int *slot = ring;
    slot[-1] = 7;
    return ring[0];
}
