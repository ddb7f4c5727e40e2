/* strlen and strnlen. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[] = { 'a', 'b', 0, 'c' };
    printf("%zu %zu %zu\n", strlen(""), strlen("hello"), strlen(buffer));
    printf("%zu %zu %zu\n", strnlen("hello", 3), strnlen("hello", 10), strnlen(buffer, 4));
    return 0;
}
