// A definition in the style of 1978.
int add(a, b)
int a, b;
{
    return a + b;
}
int main(void) { return add(1, 2); }
