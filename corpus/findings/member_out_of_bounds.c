// An index leaves an array inside of a struct, but not the struct.
struct record {
    char name[4];
    int count;
};

static char letter(const struct record *r, int i) { return r->name[i]; }

int main(void) {
    struct record r = { "abc", 1 };
    const char *end = &r.name[4];
    for (const char *p = r.name; p < end; p++)
        if (letter(&r, p - r.name) == 'x')
            return 1;
    return letter(&r, 4);
}
