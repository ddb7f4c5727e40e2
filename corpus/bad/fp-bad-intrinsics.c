// The checker's own functions used wrongly.
#include <fencepost.h>
int main(int argc, char **argv) {
    int n = fp_choose(3, 1);
    fp_observe(argv[0], n);
    return n;
}
