// Two arguments without a comma.
int f(int a, int b);
int main(void) {
    return f(1 2);
}
