// A comment that runs to the end of the file.
int main(void) {
    return 0; /* done
}
