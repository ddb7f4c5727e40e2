// Floats, as types, constants and in casts.
double mean(int a, int b) { return (a + b) / 2.0; }
int main(void) {
    float x = 1.5f;
    return (int)x;
}
