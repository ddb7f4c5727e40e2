extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

/* What stands between these two happens in one moment. */
#define weak_begin() __VERIFIER_atomic_begin()
#define weak_end() __VERIFIER_atomic_end()

/* Any number from low to high. */
static int weak_choose(int low, int high) {
    while (low < high && __VERIFIER_nondet_bool()) low++;
    return low;
}

/* Only runs in which the condition holds here count. */
#define weak_await(condition) __VERIFIER_assume(condition)

@GRAPH/* Any load may be late. */
@GRAPH#define WEAK_LATE_ODDS 1
@GRAPH
/* Ends the run: it would need more than this file provides for, so it says nothing. Define
   WEAK_REPORT_BOUNDS to have the verifier say whether there is such a run. */
static void weak_inconclusive(void) {
#ifdef WEAK_REPORT_BOUNDS
    reach_error();
#endif
    __VERIFIER_assume(0);
}
@FREES
@FREES/* How many bytes a block may have: all of memory, as SV-COMP has no name for it, so that freeing a
@FREES   block waits for more stores than it must. */
@FREES#define weak_block_size(block) ((size_t)-1 - (size_t)(block))
