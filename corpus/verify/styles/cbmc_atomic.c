// CBMC's atomic sections and assumptions.
//@ sc tso pso: holds: the sections exclude each other
//@ relaxed armv8 riscv: assert fails: the first thread may read x before it reads that both are done
unsigned x; _Bool done1, done2;
void t1() { __CPROVER_atomic_begin(); unsigned t = x; x = t + 1; __CPROVER_atomic_end(); __CPROVER_atomic_begin(); done1 = 1; __CPROVER_atomic_end(); }
void t2() { __CPROVER_atomic_begin(); unsigned t = x; x = t + 1; __CPROVER_atomic_end(); __CPROVER_atomic_begin(); done2 = 1; __CPROVER_atomic_end(); }
int main() {
  __CPROVER_ASYNC_1: t1();
  __CPROVER_ASYNC_2: t2();
  __CPROVER_assume(done1 && done2);
  __CPROVER_assert(x == 2, "both counted");
}
