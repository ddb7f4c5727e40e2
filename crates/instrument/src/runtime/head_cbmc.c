#ifndef __CPROVER__
extern void __CPROVER_atomic_begin(void);
extern void __CPROVER_atomic_end(void);
extern void __CPROVER_assume(_Bool condition);
extern void __CPROVER_assert(_Bool condition, const char *what);
#endif
extern _Bool nondet_bool(void);

/* What stands between these two happens in one moment. */
#define weak_begin() __CPROVER_atomic_begin()
#define weak_end() __CPROVER_atomic_end()

/* Any number from low to high. */
static int weak_choose(int low, int high) {
    while (low < high && nondet_bool()) low++;
    return low;
}

/* Only runs in which the condition holds here count. */
#define weak_await(condition) __CPROVER_assume(condition)

@GRAPH/* Any load may be late. */
@GRAPH#define WEAK_LATE_ODDS 1
@GRAPH
/* Ends the run: it would need more than this file provides for, so it says nothing. Define
   WEAK_REPORT_BOUNDS to have CBMC say whether there is such a run. */
static void weak_inconclusive(void) {
#ifdef WEAK_REPORT_BOUNDS
@BUFFERS    __CPROVER_assert(0, "more stores in a buffer, or more threads, than provided for");
@GRAPH    __CPROVER_assert(0, "more accesses, of several widths, or more threads, than provided for");
#endif
    __CPROVER_assume(0);
}
@FREES
@FREES/* How many bytes a block has. */
@FREES#ifndef __CPROVER__
@FREESextern size_t __CPROVER_OBJECT_SIZE(const void *block);
@FREES#endif
@FREES#define weak_block_size(block) __CPROVER_OBJECT_SIZE(block)
