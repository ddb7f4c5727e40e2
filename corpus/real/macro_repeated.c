// A mistake in a macro that is used often is said once.
//$ verify FILE --model sc
#define ADD(p, n) (p).sum += (n)
struct total { int total; };
static struct total all;
int main(void) {
    ADD(all, 1);
    ADD(all, 2);
    ADD(all, 3);
    return 0;
}
