// A program that names its error: abort() leaves executions out, and only reach_error() is wrong.
//@ sc tso: holds: the executions in which the value is too large end before the error
extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);

static int value;

static void assume_abort_if_not(int condition) {
    if (!condition) abort();
}

static void *reader(void *unused) {
    if (value > 3) reach_error();
    return unused;
}

int main(void) {
    pthread_t thread;
    value = __VERIFIER_nondet_int();
    assume_abort_if_not(value >= 0 && value <= 3);
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
    return 0;
}
