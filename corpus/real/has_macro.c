// A macro of the program's own whose name begins like an operator of #if.
//$ verify FILE --model sc
#define __has_type_128 1
#if __has_type_128
int main(void) { return 0; }
#endif
