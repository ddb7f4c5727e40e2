/* Decimal numbers with a point. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = { "1.5", " -2.25x", "1e3", "2.5e-1", "+.5", "3.", "0.1", "123456.789",
                            "1e", "1e+", "abc", ".", "-0", "9007199254740991", "1e22", "", "i", "name" };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        double value = strtod(texts[i], &end);
        printf("%s: %.17g '%s'\n", texts[i], value, end);
    }
    printf("%g %g\n", atof("2.5"), atof("x"));
    return 0;
}
