// An else that belongs to nothing.
int main(void) {
    int x = 1;
    if (x);
        x = 2;
    else
        x = 3;
    return x;
}
