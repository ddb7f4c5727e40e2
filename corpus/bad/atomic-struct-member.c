// A member of an atomic struct cannot be reached.
struct pair { int a, b; };
_Atomic struct pair p;
int main(void) { return p.a; }
