// A main that is not a function.
int main = 3;
