// Loads and stores in an array: the sieve of Eratosthenes.
#define LIMIT 200000

static unsigned char composite[LIMIT + 1];

int main(void) {
    int count = 0;
    for (int n = 2; n <= LIMIT; n++) {
        if (composite[n])
            continue;
        count++;
        for (int multiple = 2 * n; multiple <= LIMIT; multiple += n)
            composite[multiple] = 1;
    }
    return count != 17984;
}
