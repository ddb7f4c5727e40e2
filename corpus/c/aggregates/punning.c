/* Seeing the bytes of one type through another: unions, char pointers, memcpy. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct header {
    uint8_t version;
    uint8_t flags;
    uint16_t length;
    uint32_t id;
};

int main(void) {
    uint64_t value = 0x0102030405060708ul;
    unsigned char *bytes = (unsigned char *)&value;
    for (int i = 0; i < 8; i++) printf("%d ", bytes[i]);
    printf("\n");
    bytes[7] = 0xf0;
    printf("%lx\n", value);
    uint32_t low;
    memcpy(&low, &value, sizeof low);
    printf("%x\n", low);
    memcpy((char *)&value + 4, &low, sizeof low);
    printf("%lx\n", value);
    struct header h = { 1, 2, 0x0304, 0x05060708 };
    uint64_t packed;
    memcpy(&packed, &h, sizeof packed);
    printf("%lx\n", packed);
    packed ^= 0xff00;
    memcpy(&h, &packed, sizeof h);
    printf("%d %d %x %x\n", h.version, h.flags, h.length, h.id);
    union { int16_t s[4]; int64_t q; int8_t b[8]; } u = { .q = -2 };
    u.s[1] = 0x1234;
    printf("%lx %d %d\n", (long)u.q, u.b[2], u.b[7]);
    int numbers[2] = { 0x11223344, 0x55667788 };
    uint64_t joined;
    memcpy(&joined, numbers, sizeof joined);
    printf("%lx\n", joined);
    char letters[4] = { 'a', 'b', 'c', 'd' };
    int word;
    memcpy(&word, letters, 4);
    printf("%x\n", word);
    return 0;
}
