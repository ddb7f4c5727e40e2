/* strcpy, strncpy (which pads and may not terminate), strcat and strncat. */
#include <stdio.h>
#include <string.h>

static void show(const char *bytes, int count) {
    for (int i = 0; i < count; i++) printf("%c", bytes[i] ? bytes[i] : '.');
    printf("|\n");
}

int main(void) {
    char buffer[12];
    memset(buffer, '#', sizeof buffer);
    printf("%d\n", strcpy(buffer, "hello") == buffer);
    show(buffer, 12);
    strncpy(buffer, "abc", 8);
    show(buffer, 12);
    strncpy(buffer, "0123456789", 4);
    show(buffer, 12);
    strcpy(buffer, "ab");
    strcat(buffer, "cd");
    strcat(buffer, "");
    strncat(buffer, "efgh", 2);
    show(buffer, 12);
    strncat(buffer, "xy", 9);
    puts(buffer);
    return 0;
}
