// Writes into a string literal.
static void shout(char *text) { text[0] = 'H'; }

int main(void) {
    shout("hello");
    return 0;
}
