/* Arrays completed later, extern arrays, and arrays sized by their initialisers. */
#include <stdio.h>

extern int early[];
extern const char words[][6];
static int get(int i) { return early[i]; }
int early[4] = { 1, 2, 3 };
const char words[][6] = { "alpha", "beta" };
static int sized[] = { [9] = 1 };
static const char *const lists[][3] = { { "a" }, { "b", "c", "d" }, { [2] = "e" } };
static struct { int k; const char *v[2]; } table[] = { { 1, { "x" } }, { 2, { "y", "z" } } };
static int matrix[][2][2] = { 1, 2, 3, 4, 5 };
static char text[] = "abc" "def";
int tentative[3];
int tentative[3];

int main(void) {
    printf("%d %d %zu\n", get(2), get(3), sizeof early);
    printf("%s %zu\n", words[1], sizeof words / sizeof *words);
    printf("%zu %d\n", sizeof sized / sizeof *sized, sized[9]);
    printf("%zu %d %s\n", sizeof lists / sizeof *lists, lists[0][1] == 0, lists[2][2]);
    printf("%zu %s\n", sizeof table / sizeof *table, table[1].v[1]);
    printf("%zu %d %d\n", sizeof matrix / sizeof *matrix, matrix[1][0][0], matrix[1][1][1]);
    printf("%zu %s\n", sizeof text, text);
    tentative[1] = 4;
    printf("%d\n", tentative[0] + tentative[1]);
    int local[] = { get(0), get(1), [5] = get(2) };
    printf("%zu %d %d\n", sizeof local / sizeof *local, local[4], local[5]);
    return 0;
}
