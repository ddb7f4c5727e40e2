// The mistake is inside a macro, and the place that matters is where it is used.
#define INCREMENT(p) ((p)->cout += 1)
struct counter { int count; };
int main(void) {
    struct counter c = {0};
    INCREMENT(&c);
    return c.count;
}
