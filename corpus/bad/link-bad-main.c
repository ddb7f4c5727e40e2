// A main with parameters of the wrong types.
int main(char *first, long second) { return 0; }
