// A type whose header was not included.
uint32_t hits;
_Atomic int64_t ready;
int main(void) { return 0; }
