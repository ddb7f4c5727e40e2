// A misspelt directive.
#incldue <stdint.h>
int main(void) { return 0; }
