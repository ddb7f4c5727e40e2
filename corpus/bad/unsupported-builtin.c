// Builtins of gcc that are not known here.
int main(void) {
    void *frame = __builtin_frame_address(0);
    return __builtin_cpu_supports("avx2") + (frame != 0);
}
