// A thread made of statements that are not a call.
int x;
int main(void) {
    __CPROVER_ASYNC_1: { x = 1; }
    return 0;
}
