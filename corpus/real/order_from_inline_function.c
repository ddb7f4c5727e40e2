// A memory order that an inline function computes from a constant.
//$ verify FILE --model rc11
static inline int map(int mo) { return mo == 6 ? 5 : mo; }
int x;
int main(void) { __atomic_store_n(&x, 1, map(3)); return __atomic_load_n(&x, map(6)) != 1; }
