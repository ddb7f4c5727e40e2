// A struct with two definitions.
struct s { int a; };
struct s { int b; };
int main(void) { return 0; }
