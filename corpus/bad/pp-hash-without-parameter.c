// A # that is not followed by a parameter.
#define SHOW(x) #y
int main(void) { return 0; }
