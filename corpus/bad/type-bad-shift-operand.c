// Operators on types they are not made for.
int main(void) {
    int x = 1, *p = &x;
    p = p << 1;
    p = p * 2;
    p = -p;
    p = p + p;
    return ~p;
}
