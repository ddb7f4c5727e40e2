/* Messages of <err.h> go to stderr. */
#include <err.h>
#include <stdio.h>

int main(void) {
    warnx("%d of %s", 1, "them");
    warn("again");
    printf("still here\n");
    errx(3, "the end");
}
