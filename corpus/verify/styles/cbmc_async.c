// CBMC's threads.
//@ all: assert fails: the thread may not have run yet
//@ rc11: assert fails, race fails: and its store is plain
int g;
void f(int v) { g = v; }
int main() { __CPROVER_ASYNC_1: f(1); __CPROVER_assert(g == 1, "it has run"); return 0; }
