/* Recursion: direct, mutual, through pointers, with arrays on the stack. */
#include <stdio.h>

static unsigned long factorial(unsigned n) { return n ? n * factorial(n - 1) : 1; }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 || odd(n - 1); }
static int odd(unsigned n) { return n != 0 && even(n - 1); }

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int moves;
static void hanoi(int n, char from, char to, char by) {
    if (n == 0) return;
    hanoi(n - 1, from, by, to);
    moves++;
    hanoi(n - 1, by, to, from);
}

static int permutations(int *a, int n, int at) {
    if (at == n) {
        for (int i = 0; i < n; i++) printf("%d", a[i]);
        printf(" ");
        return 1;
    }
    int count = 0;
    for (int i = at; i < n; i++) {
        int copy[4];
        for (int j = 0; j < n; j++) copy[j] = a[j];
        copy[at] = a[i];
        copy[i] = a[at];
        count += permutations(copy, n, at + 1);
    }
    return count;
}

static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static int apply(int (*f)(int), int n) { return n ? f(n) + apply(f, n - 1) : 0; }

int main(void) {
    printf("%lu %d\n", factorial(20), fibonacci(15));
    printf("%d %d %d\n", even(10), odd(10), even(7));
    printf("%d\n", ackermann(2, 3));
    hanoi(6, 'a', 'b', 'c');
    printf("%d\n", moves);
    int n = permutations((int[]){ 1, 2, 3 }, 3, 0);
    printf("%d\n", n);
    printf("%d %d\n", gcd(1071, 462), apply(fibonacci, 8));
    return 0;
}
