// An include that does not exist.
#include "no_such_file.h"
int main(void) { return 0; }
