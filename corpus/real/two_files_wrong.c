// What two files of a program do not agree about is said with both places.
//$ verify FILE --with parts/wrong.c --model sc
//$ verify FILE --with parts/nowhere.c --model sc
int shared;
int twice(int x) { return 2 * x; }
int main(void) { return twice(shared); }
