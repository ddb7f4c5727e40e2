// CBMC's names, none of which needs a declaration.
extern int printf(const char *, ...);
int nondet_int();
__CPROVER_thread_local int mine = 4;

int main(void) {
    __CPROVER_bool flag = nondet_bool();
    int any = nondet_int();
    __CPROVER_precondition(flag == 0 || flag == 1, "a flag has two values");
    __CPROVER_cover(any > 3);
    __CPROVER_input("any", any);
    __CPROVER_assume(mine == 4);
    assert(mine == 4);
    __CPROVER_atomic_begin();
    mine++;
    __CPROVER_atomic_end();
    printf("%d\n", mine);
    return 0;
}
