// Copies undefined bits around, which is allowed, and then shifts one into a condition.
#include <string.h>

int main(void) {
    unsigned char from[4], to[4];
    from[0] = 0xf0;
    memcpy(to, from, sizeof to);
    unsigned low = to[0] & 0x0f;
    unsigned mixed = to[1] & 0xf0;
    if (low)
        return 1;
    if (mixed >> 4)
        return 2;
    return 0;
}
