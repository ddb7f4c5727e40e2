// The library of library.c: cc -shared -fPIC -o libadvance.so advance.c
unsigned long advance(unsigned long state, unsigned by) {
    for (unsigned i = 0; i < by; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state;
}
