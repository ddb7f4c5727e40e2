// An end without its conditional.
int main(void) { return 0; }
#endif
