// A condition that cannot be evaluated.
#if 10 / (2 - 2)
#endif
int main(void) { return 0; }
