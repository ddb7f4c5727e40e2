// Arrays of impossible sizes.
int a[-1];
int b[1L << 61];
int main(void) { return 0; }
