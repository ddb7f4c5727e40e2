// A function that is declared and called, but has no body anywhere.
int enqueue(int value);
int main(void) { return enqueue(1); }
