// A macro whose arguments never end.
#define TWICE(x) ((x) + (x))
int main(void) { return TWICE(1; }
