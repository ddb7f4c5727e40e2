// A pop without a push, and a packing that there is not.
#pragma pack(pop)
#pragma pack(3)
#pragma omp parallel for
struct s { int x; };
int main(void) { return 0; }
