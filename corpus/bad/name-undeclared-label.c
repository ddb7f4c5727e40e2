// A goto to nowhere.
int main(void) {
    goto out;
    return 1;
}
