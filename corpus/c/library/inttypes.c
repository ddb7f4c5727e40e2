/* The format macros of inttypes.h. */
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    int8_t a = -8;
    uint8_t b = 200;
    int16_t c = -1600;
    uint16_t d = 60000;
    int32_t e = -320000;
    uint32_t f = 4000000000u;
    int64_t g = -6400000000000;
    uint64_t h = 18000000000000000000u;
    printf("%" PRId8 " %" PRIu8 " %" PRIx8 "\n", a, b, b);
    printf("%" PRId16 " %" PRIu16 " %" PRIX16 "\n", c, d, d);
    printf("%" PRId32 " %" PRIu32 " %" PRIo32 "\n", e, f, f);
    printf("%" PRId64 " %" PRIu64 " %" PRIx64 "\n", g, h, h);
    printf("%" PRIiMAX " %" PRIuMAX " %" PRIdPTR "\n", (intmax_t)-1, (uintmax_t)1, (intptr_t)2);
    printf("%" PRIdLEAST16 " %" PRIuFAST32 "\n", (int_least16_t)3, (uint_fast32_t)4);
    printf("%10" PRId64 "|%-6" PRIu32 "|%04" PRIx16 "\n", (int64_t)5, 6u, (uint16_t)7);
    printf("%jd\n", imaxabs(INTMAX_C(-9)));
    printf("%" PRId64 "\n", INT64_C(1) << 40);
    return 0;
}
