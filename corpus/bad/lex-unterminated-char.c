// A character constant that is not closed.
int main(void) {
    return 'a;
}
