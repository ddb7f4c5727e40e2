/* Dynamic programming: edit distance, longest common subsequence, knapsack. */
#include <stdio.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static int distance(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), d[16][16];
    for (int i = 0; i <= n; i++) d[i][0] = i;
    for (int j = 0; j <= m; j++) d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = MIN(change, MIN(d[i - 1][j], d[i][j - 1]) + 1);
        }
    return d[n][m];
}

static int common(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), row[16] = { 0 };
    for (int i = 0; i < n; i++) {
        int diagonal = 0;
        for (int j = 1; j <= m; j++) {
            int above = row[j];
            row[j] = a[i] == b[j - 1] ? diagonal + 1 : MAX(row[j], row[j - 1]);
            diagonal = above;
        }
    }
    return row[m];
}

static int knapsack(int room, const int (*items)[2], int n) {
    int best[64] = { 0 };
    for (int i = 0; i < n; i++)
        for (int r = room; r >= items[i][0]; r--) best[r] = MAX(best[r], best[r - items[i][0]] + items[i][1]);
    return best[room];
}

int main(void) {
    printf("%d %d %d\n", distance("kitten", "sitting"), distance("", "abc"), distance("same", "same"));
    printf("%d %d\n", common("abcbdab", "bdcaba"), common("xyz", "abc"));
    printf("%d\n", knapsack(50, (const int[][2]){ { 10, 60 }, { 20, 100 }, { 30, 120 } }, 3));
    return 0;
}
