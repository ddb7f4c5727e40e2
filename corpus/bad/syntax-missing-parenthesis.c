// A parenthesis that is never closed.
int f(int a, int b);
int main(void) {
    return f(1, (2 + 3);
}
