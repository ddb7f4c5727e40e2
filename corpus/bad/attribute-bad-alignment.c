// Alignments that are no power of two, or too weak.
_Alignas(3) int a;
struct s { _Alignas(1) long x; };
int b __attribute__((aligned(24)));
int main(void) { return 0; }
