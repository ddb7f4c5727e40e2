/* perror needs <stdio.h> only. */
#include <stdio.h>

int main(void) {
    perror("message");
    puts("printed");
    return 0;
}
