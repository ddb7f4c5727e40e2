// A system header that is not embedded.
#include <sys/socket.h>
int main(void) { return 0; }
