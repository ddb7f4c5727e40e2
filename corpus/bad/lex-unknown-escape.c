// An escape sequence that C does not have.
int main(void) {
    const char *s = "a\qb";
    return s[0];
}
