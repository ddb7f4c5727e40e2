// A number is read out of a message where it stands, at an odd address.
#include <stdio.h>
#include <string.h>

int main(void) {
    char message[8] = { 7, 1, 0, 0, 0 };
    int copied;
    memcpy(&copied, message + 1, sizeof copied);
    printf("%d\n", copied);
    int *in_place = (int *)(message + 1);
    printf("%d\n", *in_place);
}
