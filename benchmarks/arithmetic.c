// Arithmetic in registers: a linear congruential generator and the Collatz sequence.
static unsigned collatz(unsigned long n) {
    unsigned steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int main(void) {
    unsigned state = 1, longest = 0;
    for (int i = 0; i < 10000; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned steps = collatz(state % 10000 + 1);
        if (steps > longest)
            longest = steps;
    }
    return longest < 200;
}
