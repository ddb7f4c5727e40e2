// A thread-local variable on the stack.
int main(void) {
    _Thread_local int x = 1;
    return x;
}
