// A generic selection with no fitting association.
int main(void) {
    return _Generic("text", int: 1, long: 2);
}
