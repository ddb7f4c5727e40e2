// A conditional without its end.
#ifdef DEBUG
int level = 1;
int main(void) { return 0; }
