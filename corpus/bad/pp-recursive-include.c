// A file that includes itself for ever.
#include "pp-recursive-include.c"
int main(void) { return 0; }
