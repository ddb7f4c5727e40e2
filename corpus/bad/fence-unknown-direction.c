// Fences of kinds that there are not.
#include <checkfence.h>
int main(void) {
    fence("load-laod");
    const char *kind = "full";
    fence(kind);
    return 0;
}
