// A type whose header was not included.
uint32_t hits;
_Atomic bool ready;
int main(void) { return 0; }
