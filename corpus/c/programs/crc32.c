/* CRC-32 with a table made at start. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];

static void prepare(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc(const void *data, size_t n) {
    const uint8_t *p = data;
    uint32_t c = ~0u;
    while (n--) c = table[(c ^ *p++) & 0xff] ^ (c >> 8);
    return ~c;
}

int main(void) {
    prepare();
    const char *texts[] = { "", "a", "123456789", "The quick brown fox jumps over the lazy dog" };
    for (int i = 0; i < 4; i++) printf("%08x\n", crc(texts[i], strlen(texts[i])));
    uint32_t words[4] = { 1, 2, 3, 4 };
    printf("%08x\n", crc(words, sizeof words));
    return 0;
}
