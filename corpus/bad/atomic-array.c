// An atomic array and an atomic function.
typedef int three[3];
_Atomic(three) a;
int main(void) { return 0; }
