// Functions whose results the standard for floating point leaves open.
#include <math.h>
double angle = 0.5;
int main(void) {
    return sin(angle) > pow(2, 0.5);
}
