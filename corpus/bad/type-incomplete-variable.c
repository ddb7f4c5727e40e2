// A variable of a struct that is only declared.
struct queue;
int main(void) {
    struct queue q;
    return 0;
}
