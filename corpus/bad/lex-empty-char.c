// A character constant with nothing in it.
int main(void) {
    return '';
}
