/* Arrays in structures and structures in arrays, copied and passed about. */
#include <stdio.h>
#include <string.h>

struct matrix {
    int cells[2][3];
};

struct person {
    char name[12];
    int ages[3];
    struct { short day, month; } birth;
};

static struct matrix transpose_sum(struct matrix m, struct matrix n) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) m.cells[i][j] += n.cells[i][j] * 10;
    return m;
}

static void relabel(struct person *people, int count) {
    for (int i = 0; i < count; i++) people[i].name[0] = (char)('A' + i);
}

int main(void) {
    struct matrix a = { { { 1, 2, 3 }, { 4, 5, 6 } } }, b = { { { 6, 5, 4 }, { 3, 2, 1 } } };
    struct matrix c = transpose_sum(a, b);
    for (int i = 0; i < 6; i++) printf("%d ", c.cells[i / 3][i % 3]);
    printf("\n%d\n", a.cells[0][0]);
    printf("%d\n", transpose_sum(a, a).cells[1][2]);
    struct person people[3] = { { "xavier", { 1, 2, 3 }, { 4, 5 } }, { "yves" }, [2].ages[1] = 30 };
    strcpy(people[2].name, "zoe");
    relabel(people, 3);
    for (int i = 0; i < 3; i++)
        printf("%s %d %d %d\n", people[i].name, people[i].ages[1], people[i].birth.day, people[i].birth.month);
    struct person swap = people[0];
    people[0] = people[1];
    people[1] = swap;
    printf("%s %s\n", people[0].name, people[1].name);
    printf("%d\n", memcmp(&people[1], &swap, sizeof swap));
    printf("%zu %zu\n", sizeof people, sizeof people[0].ages);
    return 0;
}
