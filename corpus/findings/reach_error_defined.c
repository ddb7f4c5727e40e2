// A program that names its error: calling it is the error, whatever it does, and `abort()` is not.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void) {}

static void assume_abort_if_not(int condition) {
    if (!condition) abort();
}

int main(void) {
    assume_abort_if_not(1);
    reach_error();
    return 0;
}
