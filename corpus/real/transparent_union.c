// A parameter of a transparent union takes what any member does.
//$ verify FILE --model sc
struct a { int x; }; struct b { struct a a; };
typedef union { struct a *a; struct b *b; } __attribute__((__transparent_union__)) any;
static int get(any u) { return u.a->x; }
int main(void) { struct b b = {{7}}; return get(&b) != 7; }
