// Assertions that fail when the program is compiled.
struct slot { char tag; long value; };
_Static_assert(sizeof(struct slot) == 9, "slots must be packed");
int main(void) {
    _Static_assert(1 > 2);
    return 0;
}
