// Store buffering in the dialect of CBMC: labels start the threads.
//@ sc: holds: some store comes first, and the other thread then reads it
//@ tso pso: assert fails: both loads may pass the stores, which wait in their buffers
int x, y, r1, r2, done1, done2;

void left(void) {
    x = 1;
    r1 = y;
    __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence");
    done1 = 1;
}

void right(void) {
    y = 1;
    r2 = x;
    __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence");
    done2 = 1;
}

int main(void) {
    __CPROVER_ASYNC_1: left();
    __CPROVER_ASYNC_2: right();
    __CPROVER_assume(done1 == 1 && done2 == 1);
    __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence");
    __CPROVER_assert(!(r1 == 0 && r2 == 0), "one of them sees the other");
    return 0;
}
