// An octal constant with a digit that is none.
int mode = 0689;
int main(void) { return mode; }
