// A variable with the name of a keyword.
int main(void) {
    int default = 1;
    return default;
}
