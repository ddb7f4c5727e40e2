/* Five sorting algorithms on the same numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 40

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void bubble(int *a, int n) {
    for (int swapped = 1; swapped;) {
        swapped = 0;
        for (int i = 1; i < n; i++)
            if (a[i - 1] > a[i]) swap(&a[i - 1], &a[i]), swapped = 1;
    }
}

static void quick(int *a, int n) {
    if (n < 2) return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    for (;; i++, j--) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i >= j) break;
        swap(&a[i], &a[j]);
    }
    quick(a, i);
    quick(a + i, n - i);
}

static void merge(int *a, int n) {
    if (n < 2) return;
    int half = n / 2, *copy = malloc(half * sizeof *copy);
    merge(a, half);
    merge(a + half, n - half);
    memcpy(copy, a, half * sizeof *copy);
    for (int i = 0, j = half, k = 0; i < half; k++)
        a[k] = j < n && a[j] < copy[i] ? a[j++] : copy[i++];
    free(copy);
}

static void sift(int *a, int root, int n) {
    for (int child; (child = root * 2 + 1) < n; root = child) {
        if (child + 1 < n && a[child] < a[child + 1]) child++;
        if (a[root] >= a[child]) return;
        swap(&a[root], &a[child]);
    }
}

static void heap(int *a, int n) {
    for (int i = n / 2; i-- > 0;) sift(a, i, n);
    while (--n > 0) {
        swap(&a[0], &a[n]);
        sift(a, 0, n);
    }
}

static void radix(int *a, int n) {
    int out[N];
    for (int shift = 0; shift < 32; shift += 8) {
        int count[257] = { 0 };
        for (int i = 0; i < n; i++) count[(((uint32_t)a[i] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) count[i + 1] += count[i];
        for (int i = 0; i < n; i++) out[count[((uint32_t)a[i] ^ 0x80000000u) >> shift & 255]++] = a[i];
        memcpy(a, out, n * sizeof *a);
    }
}

int main(void) {
    static void (*const sorts[])(int *, int) = { bubble, quick, merge, heap, radix };
    int input[N], first[N];
    uint32_t seed = 12345;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        input[i] = (int)(seed >> 16) % 1000 - 500;
    }
    for (unsigned s = 0; s < sizeof sorts / sizeof *sorts; s++) {
        int a[N];
        memcpy(a, input, sizeof a);
        sorts[s](a, N);
        if (s == 0) memcpy(first, a, sizeof a);
        printf("%d %d %d\n", a[0], a[N - 1], memcmp(a, first, sizeof a));
    }
    return 0;
}
