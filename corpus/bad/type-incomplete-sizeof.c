// The size of a struct that is only declared.
struct queue;
int main(void) { return sizeof(struct queue); }
