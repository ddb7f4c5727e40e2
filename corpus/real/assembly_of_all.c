// The same counter in the assembly of four machines, each on its own models.
//$ verify FILE -DX86 --model sc --model tso
//$ verify FILE -DLSE --model sc --model armv8
//$ verify FILE -DPOWER --model sc --model power
//$ verify FILE -DRISCV --model sc --model riscv
//$ verify FILE -DRISCV_AMO --model sc --model riscv
#include <assert.h>
#include <pthread.h>

static volatile int count;

static int add(volatile int *to, int by) {
    int old = 0, failed = 0;
    (void)failed;
#if defined(X86)
    old = by;
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(*to) : : "memory", "cc");
#elif defined(LSE)
    __asm__ volatile("ldaddal %w2, %w0, [%1]" : "=r"(old) : "r"(to), "r"(by) : "memory");
#elif defined(POWER)
    __asm__ volatile("lwsync\n"
                     "1: lwarx %0,0,%2\n"
                     "add %1,%0,%3\n"
                     "stwcx. %1,0,%2\n"
                     "bne- 1b\n"
                     "isync"
                     : "=&r"(old), "=&r"(failed) : "r"(to), "r"(by) : "memory", "cc");
#elif defined(RISCV)
    __asm__ volatile("0: lr.w %0, %2\n"
                     "add %1, %0, %z3\n"
                     "sc.w.rl %1, %1, %2\n"
                     "bnez %1, 0b\n"
                     "fence rw, rw\n"
                     : "=&r"(old), "=&r"(failed), "+A"(*to) : "rJ"(by) : "memory");
#else
    __asm__ volatile("amoadd.w.aqrl %1, %2, %0" : "+A"(*to), "=r"(old) : "r"(by) : "memory");
#endif
    return old;
}

static int seen[2];
static void *adds(void *unused) { seen[0] = add(&count, 1); return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    seen[1] = add(&count, 2);
    pthread_join(thread, NULL);
    assert(count == 3);
    assert((seen[0] == 0 && seen[1] == 1) || (seen[0] == 2 && seen[1] == 0));
    return 0;
}
