// An array whose size is known only when the program runs.
int sum(int n) {
    int copy[n];
    copy[0] = n;
    return copy[0];
}
int main(void) { return sum(3); }
