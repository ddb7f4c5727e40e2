// A member of a packed struct may be anywhere; a pointer to it must not be used as one to an int.
struct __attribute__((packed)) header {
    char kind;
    int length;
    struct { short low, high; } range[2];
};

static void extend(int *length) { *length += 1; }

int main(void) {
    struct header h = { 'a', 1, { { 1, 2 }, { 3, 4 } } }, *p = &h, copy;
    p->length = 2;
    p->range[1].high++;
    copy = *p;
    copy.range[0] = p->range[1];
    extend(&p->length);
}
