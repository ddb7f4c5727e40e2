// A function and a variable without a type.
static counter;
main() { return counter; }
