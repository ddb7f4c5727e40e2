// An array with neither a size nor an initialiser.
int main(void) {
    int a[];
    return 0;
}
