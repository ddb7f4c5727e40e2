// A block that is never closed.
void wait_for(volatile int *flag) {
    while (!*flag) {
        ;
}
int main(void) { return 0; }
