// A string for a number.
int x = "one";
int y[] = "two";
int main(void) { return x; }
