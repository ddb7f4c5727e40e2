// Two enumerators of one name.
enum color { RED, GREEN };
enum light { RED, YELLOW };
int main(void) { return RED; }
