// Memory from the stack.
int main(void) {
    int *p = __builtin_alloca(16);
    return *p;
}
