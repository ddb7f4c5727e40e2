// The most common mistake.
int main(void) {
    int x = 1
    x++;
    return x;
}
