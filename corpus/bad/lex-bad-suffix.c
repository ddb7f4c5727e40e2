// A number with letters behind it.
int main(void) { return 12abc; }
