// The program refuses to be compiled.
#if __SIZEOF_POINTER__ == 8
#error this code is for 32-bit machines
#endif
int main(void) { return 0; }
