// A variable that is declared, but defined nowhere.
extern int limit;
int main(void) { return limit; }
