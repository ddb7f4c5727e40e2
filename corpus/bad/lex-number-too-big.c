// An integer constant of more than 64 bits.
int main(void) { return 0x1ffffffffffffffff != 0; }
