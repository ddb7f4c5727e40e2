/* Union-find, breadth-first search and topological order on small graphs. */
#include <stdbool.h>
#include <stdio.h>

enum { N = 10 };

static int parent[N], size[N];

static int find(int x) { return parent[x] == x ? x : (parent[x] = find(parent[x])); }

static bool join(int a, int b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (size[a] < size[b]) { int t = a; a = b; b = t; }
    parent[b] = a;
    size[a] += size[b];
    return true;
}

static unsigned short edges[N];

static int reach(int from, int to) {
    int distance[N], queue[N], head = 0, tail = 0;
    for (int i = 0; i < N; i++) distance[i] = -1;
    distance[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int at = queue[head++];
        for (int next = 0; next < N; next++)
            if (edges[at] >> next & 1 && distance[next] < 0) {
                distance[next] = distance[at] + 1;
                queue[tail++] = next;
            }
    }
    return distance[to];
}

static unsigned short done;

static void visit(int at, int *order, int *count) {
    if (done >> at & 1) return;
    done |= (unsigned short)(1u << at);
    for (int next = 0; next < N; next++)
        if (edges[at] >> next & 1) visit(next, order, count);
    order[(*count)++] = at;
}

int main(void) {
    for (int i = 0; i < N; i++) parent[i] = i, size[i] = 1;
    static const signed char pairs[][2] = { { 0, 1 }, { 2, 3 }, { 1, 3 }, { 4, 5 }, { 0, 2 }, { 8, 9 }, { 5, 9 } };
    int joined = 0;
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        joined += join(pairs[i][0], pairs[i][1]);
        edges[pairs[i][0]] |= (unsigned short)(1u << pairs[i][1]);
    }
    printf("%d %d %d %d\n", joined, size[find(3)], find(4) == find(8), find(6) == find(7));
    printf("%d %d %d\n", reach(0, 3), reach(4, 9), reach(3, 0));
    int order[N], count = 0;
    for (int i = 0; i < N; i++) visit(i, order, &count);
    for (int i = 0; i < N; i++) printf("%d ", order[i]);
    printf("\n");
    return 0;
}
