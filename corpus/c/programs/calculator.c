/* A recursive-descent calculator over a string. */
#include <ctype.h>
#include <stdio.h>

struct parser { const char *at; int errors; };

static long expression(struct parser *p);

static void skip(struct parser *p) { while (isspace((unsigned char)*p->at)) p->at++; }

static int accept(struct parser *p, char c) {
    skip(p);
    if (*p->at != c) return 0;
    p->at++;
    return 1;
}

static long primary(struct parser *p) {
    skip(p);
    if (accept(p, '(')) {
        long v = expression(p);
        if (!accept(p, ')')) p->errors++;
        return v;
    }
    if (accept(p, '-')) return -primary(p);
    if (!isdigit((unsigned char)*p->at)) {
        p->errors++;
        return 0;
    }
    long v = 0;
    while (isdigit((unsigned char)*p->at)) v = v * 10 + (*p->at++ - '0');
    return v;
}

static long term(struct parser *p) {
    long v = primary(p);
    for (;;) {
        if (accept(p, '*')) v *= primary(p);
        else if (accept(p, '/')) {
            long d = primary(p);
            if (d) v /= d;
            else p->errors++;
        } else if (accept(p, '%')) {
            long d = primary(p);
            if (d) v %= d;
            else p->errors++;
        } else return v;
    }
}

static long expression(struct parser *p) {
    long v = term(p);
    for (;;) {
        if (accept(p, '+')) v += term(p);
        else if (accept(p, '-')) v -= term(p);
        else return v;
    }
}

int main(void) {
    const char *inputs[] = { "1 + 2 * 3", "(1 + 2) * 3", "-(4 - 10) / 4", "100 % 7 - 3", "2 * (3 + (4 - 1)) * 5",
        "7 / 0", "(1", "", "8 -- 3" };
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct parser p = { inputs[i], 0 };
        long v = expression(&p);
        skip(&p);
        if (*p.at || p.errors) printf("%s -> error at %td\n", inputs[i], p.at - inputs[i]);
        else printf("%s -> %ld\n", inputs[i], v);
    }
    return 0;
}
