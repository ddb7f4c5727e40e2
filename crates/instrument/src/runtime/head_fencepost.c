#if __has_include(<fencepost.h>)
#include <fencepost.h>
#else /* a compiler that only checks this file */
void fp_atomic_begin(void);
void fp_atomic_end(void);
void fp_assume(int condition);
int fp_choose(int low, int high);
void __fp_supported(int condition, const char *what);
unsigned long __fp_block_size(void *block);
#endif

/* What stands between these two happens in one moment. */
#define weak_begin() fp_atomic_begin()
#define weak_end() fp_atomic_end()

/* Any number from low to high. */
#define weak_choose(low, high) fp_choose((low), (high))

/* Waits until the condition holds; between weak_begin() and weak_end(). */
#define weak_await(condition) fp_assume(condition)

@GRAPH/* Any load may be late. */
@GRAPH#define WEAK_LATE_ODDS 1
@GRAPH
/* Ends the run: it would need more than this file provides for, so it says nothing. */
static void weak_inconclusive(void) {
@BUFFERS    __fp_supported(0, "more stores in a buffer, or more threads, than `fencepost instrument` provided for");
@GRAPH    __fp_supported(0, "more accesses, of several widths, or more threads, than `fencepost instrument` provided for");
}
@FREES
@FREES/* How many bytes a block has. */
@FREES#define weak_block_size(block) __fp_block_size(block)
