//! Small programs, each with what it is about.

pub const PROGRAMS: &[(&str, &str)] = &[
    (
        "a block of zeros that only one other thread reads",
        "_Atomic(int *) p;
         void *a(void *u) { p = calloc(1, sizeof(int)); return u; }
         void *b(void *u) { int *q = p; if (q) fp_observe(\"zero\", *q); return u; }",
    ),
    (
        "the last thing that a thread does is to read what was freed",
        "int *block;
         void *f(void *u) { int r = *block; return u; }
         int main(void) { pthread_t a; block = malloc(4); *block = 0; pthread_create(&a, 0, f, 0); free(block); pthread_join(a, 0); return 0; }",
    ),
    (
        "what a thread writes before it goes wrong is seen",
        "atomic_int x;
         void *f(void *u) { x = 1; return *(void **)0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); assert(x == 0); pthread_join(a, 0); return 0; }",
    ),
    (
        "an update by which a thread goes wrong is seen",
        "atomic_int x;
         void *f(void *u) { int k = atomic_fetch_add(&x, 1); assert(k != 0); return u; }
         int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); if (x == 1) *(int *)0 = 1; pthread_join(a, 0); return 0; }",
    ),
    (
        "a section with fences in it",
        "atomic_int x, y;
         void *a(void *u) { x = 1; y = 1; return u; }
         void *b(void *u) { __fp_atomic_begin(); int r = x; int s = y; __fp_atomic_end(); fp_observe(\"r\", r); assert(r >= s); return u; }",
    ),
    (
        "store buffering",
        "atomic_int x, y;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); fp_observe(\"y\", atomic_load_explicit(&y, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&y, 1, 0); fp_observe(\"x\", atomic_load_explicit(&x, 0)); return u; }",
    ),
    (
        "store buffering in neighbouring bytes",
        "struct { char own; _Atomic char x, y; } s;
         void *a(void *u) { s.own = 1; atomic_store_explicit(&s.x, 1, 0); fp_observe(\"y\", atomic_load_explicit(&s.y, 0)); assert(s.own == 1); return u; }
         void *b(void *u) { atomic_store_explicit(&s.y, 1, 0); fp_observe(\"x\", atomic_load_explicit(&s.x, 0)); return u; }",
    ),
    (
        "bytes of which one is passed on",
        "struct { short count; char mine[2]; _Atomic _Bool done; } s;
         void *a(void *u) { s.mine[0] = 1; s.count = 2; s.done = 1; s.mine[0] = 3; return u; }
         void *b(void *u) { s.mine[1] = 1; if (s.done) fp_observe(\"count\", s.count); fp_observe(\"mine\", s.mine[0] + s.mine[1]); return u; }",
    ),
    (
        "store buffering with a fence on one side",
        "atomic_int x, y;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); atomic_thread_fence(memory_order_seq_cst); fp_observe(\"y\", atomic_load_explicit(&y, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&y, 1, 0); fp_observe(\"x\", atomic_load_explicit(&x, 0)); return u; }",
    ),
    (
        "a store is read early by its own thread",
        "atomic_int x, y;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); fp_observe(\"own\", atomic_load_explicit(&x, 0)); fp_observe(\"y\", atomic_load_explicit(&y, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&y, 2, 0); fp_observe(\"own\", atomic_load_explicit(&y, 0)); fp_observe(\"x\", atomic_load_explicit(&x, 0)); return u; }",
    ),
    (
        "a store is overwritten before its own thread reads again",
        "atomic_int x;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); assert(atomic_load_explicit(&x, 0) == 1); return u; }
         void *b(void *u) { atomic_store_explicit(&x, 2, 0); return u; }",
    ),
    (
        "a compare-and-swap that fails is a load",
        "atomic_int x, y, z;
         void *a(void *u) { int e = 5; atomic_store_explicit(&x, 1, 0); atomic_compare_exchange_strong_explicit(&z, &e, 6, 0, 0); fp_observe(\"y\", atomic_load_explicit(&y, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&y, 1, 0); atomic_fetch_add_explicit(&z, 1, 0); fp_observe(\"x\", atomic_load_explicit(&x, 0)); return u; }",
    ),
    (
        "updates lose nothing, loads and stores do",
        "atomic_int x; int y;
         void *a(void *u) { for (int i = 0; i < 2; i++) { atomic_fetch_add(&x, 1); y = y + 1; } return u; }
         void *b(void *u) { for (int i = 0; i < 2; i++) { atomic_fetch_add(&x, 1); y = y + 1; } fp_observe(\"x\", x); fp_observe(\"y\", y); return u; }",
    ),
    (
        "two locks in two orders",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x;
         void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return u; }
         void *b(void *u) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return u; }",
    ),
    (
        "a lock keeps what it protects",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y;
         void *a(void *u) { pthread_mutex_lock(&m); x++; y++; pthread_mutex_unlock(&m); return u; }
         void *b(void *u) { pthread_mutex_lock(&m); assert(x == y); fp_observe(\"x\", x); pthread_mutex_unlock(&m); return u; }",
    ),
    (
        "a lock that one path leaves held",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
         void *a(void *u) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return u; }
         void *b(void *u) { if (pthread_mutex_trylock(&m)) return u; if (x) return u; pthread_mutex_unlock(&m); return u; }",
    ),
    (
        "main goes on while its thread runs",
        "atomic_int x;
         void *a(void *u) { assert(x == 0); x = 2; return u; }
         int main(void) { pthread_t p; pthread_create(&p, NULL, a, NULL); x = 1; int seen = x; fp_observe(\"x\", seen); pthread_join(p, NULL); return 0; }",
    ),
    (
        "a thread that waits for a condition",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int stage;
         void *a(void *u) { pthread_mutex_lock(&m); while (stage < 1) { pthread_cond_wait(&c, &m); fp_observe(\"woken\", stage); assert(0); } pthread_mutex_unlock(&m); return u; }
         int main(void) { pthread_t p; pthread_create(&p, NULL, a, NULL); pthread_mutex_lock(&m); stage = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(p, NULL); return 0; }",
    ),
    (
        "choices",
        "atomic_int x;
         void *a(void *u) { int v = fp_choose(1, 3); atomic_store(&x, v); return u; }
         void *b(void *u) { int v = fp_choose(0, 1); fp_observe(\"v\", v); fp_observe(\"x\", x); assert(x + v < 4); return u; }",
    ),
    (
        "a block that is freed under its reader",
        "int *_Atomic p;
         void *a(void *u) { int *mine = malloc(sizeof *mine); *mine = 1; p = mine; p = NULL; free(mine); return u; }
         void *b(void *u) { int *theirs = p; if (theirs) fp_observe(\"value\", *theirs); return u; }",
    ),
    (
        "what follows the second free of a block does not happen",
        "int *block, x;
         void *a(void *u) { *block = 1; return u; }
         int main(void) { pthread_t p; block = malloc(4); pthread_create(&p, 0, a, 0); free(block); free(block); pthread_join(p, 0); assert(0); return 0; }",
    ),
    (
        "what another thread sees of what follows the second free of a block does not happen",
        "int *block; atomic_int x, y;
         void *a(void *u) { *block = 1; free(block); x = 1; return u; }
         void *b(void *u) { if (y) assert(0); return u; }
         int main(void) { pthread_t p, q; block = malloc(4); pthread_create(&p, 0, a, 0); pthread_create(&q, 0, b, 0); while (!x) {} free(block); y = 1; return 0; }",
    ),
    (
        "a block that is freed twice",
        "int *_Atomic p;
         void *a(void *u) { p = malloc(4); int *mine = p; if (mine) { p = NULL; free(mine); } return u; }
         void *b(void *u) { int *mine = p; if (mine) { p = NULL; free(mine); } return u; }",
    ),
    (
        "a thread that only reads",
        "atomic_int x, y;
         void *a(void *u) { for (int i = 1; i < 4; i++) { atomic_store(&x, i); atomic_store(&y, i); } return u; }
         void *b(void *u) { int later = y, earlier = x; assert(earlier >= later); assert(earlier == later); return u; }",
    ),
    (
        "an assumption that fails in one thread",
        "atomic_int x;
         void *a(void *u) { fp_assume(x == 1); assert(0); return u; }
         void *b(void *u) { x = 2; x = 1; assert(x == 1); return u; }",
    ),
    (
        "a loop that waits for what never comes",
        "atomic_int x, y;
         void *a(void *u) { while (x == 0) {} return u; }
         void *b(void *u) { if (y == 1) x = 1; return u; }",
    ),
    (
        "a loop that waits for what may not come",
        "atomic_int x, y;
         void *a(void *u) { y = 1; while (x == 0) {} return u; }
         void *b(void *u) { if (y == 1) x = 1; return u; }",
    ),
    (
        "a loop that waits for what comes",
        "atomic_int x;
         void *a(void *u) { while (atomic_exchange(&x, 1)) {} x = 0; return u; }
         void *b(void *u) { while (atomic_exchange(&x, 1)) {} x = 0; return u; }",
    ),
    (
        "a block that is lost if the other thread is faster",
        "int *_Atomic p;
         void *a(void *u) { p = malloc(4); return u; }
         void *b(void *u) { if (p) p = NULL; return u; }",
    ),
    (
        "a list that is kept",
        "struct n { struct n *next; } *_Atomic p;
         void *a(void *u) { struct n *n = malloc(sizeof *n); n->next = malloc(sizeof *n); n->next->next = NULL; p = n; return u; }
         void *b(void *u) { struct n *n = p; fp_observe(\"there\", n != NULL); return u; }",
    ),
    (
        "overflow, and a stack object that others see",
        "int *_Atomic p; atomic_int done;
         void *a(void *u) { int own[2] = {1, 2147483647}; p = own; while (!done) {} fp_observe(\"own\", own[1]); return u; }
         void *b(void *u) { int *o = p; if (o) { o[1] = o[1] + o[0]; } done = 1; return u; }",
    ),
    (
        "a parent that goes on while its child runs",
        "atomic_int x, y;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); fp_observe(\"y\", atomic_load_explicit(&y, 0)); atomic_store(&x, 2); return u; }
         int main(void) { pthread_t p; pthread_create(&p, NULL, a, NULL); int v = x; fp_observe(\"x\", v); y = 1; assert(v != 1); return 0; }",
    ),
    (
        "a parent that goes wrong at once",
        "atomic_int x;
         void *a(void *u) { if (x == 0) x = 1; return u; }
         int main(void) { pthread_t p; pthread_create(&p, NULL, a, NULL); assert(x == 1); return 0; }",
    ),
    (
        "a deadlock after the end of the main thread",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
         void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return u; }
         void *b(void *u) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, NULL, a, NULL); pthread_create(&q, NULL, b, NULL); pthread_exit(NULL); }",
    ),
    (
        "a loop that waits for ever after the end of the main thread",
        "atomic_int x;
         void *a(void *u) { while (!x) {} return u; }
         int main(void) { pthread_t p; pthread_create(&p, NULL, a, NULL); pthread_exit(NULL); }",
    ),
    (
        "a weak compare-and-swap on a thread's own object",
        "atomic_int x, y, own;
         void *a(void *u) { int e = 0, v = atomic_load_explicit(&x, 0); atomic_store_explicit(&y, 1, 0); int done = atomic_compare_exchange_weak(&own, &e, 1); assert(!v || !done); return u; }
         void *b(void *u) { x = 1; fp_observe(\"y\", y); return u; }",
    ),
    (
        "a weak compare-and-swap on a thread's own part of an object",
        "struct { atomic_int own, other; } s;
         void *a(void *u) { int e = 0; fp_observe(\"done\", atomic_compare_exchange_weak(&s.own, &e, 1)); return u; }
         void *b(void *u) { s.other = 1; return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, NULL, a, NULL); pthread_create(&q, NULL, b, NULL); pthread_join(p, NULL); pthread_join(q, NULL); fp_observe(\"other\", s.other); return 0; }",
    ),
    (
        "many choices one after the other",
        "atomic_int x;
         void *a(void *u) { int sum = 0; for (int i = 0; i < 6; i++) sum += fp_choose(0, 9); x = sum; return u; }
         void *b(void *u) { assert(x != 54); return u; }",
    ),
    (
        "a lock that only one thread uses is left held",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
         void *a(void *u) { pthread_mutex_lock(&m); x = 1; return u; }
         void *b(void *u) { x = 2; return u; }",
    ),
    (
        "a lock where another block may have been",
        "struct s { pthread_mutex_t m; int v; } *_Atomic g; int *_Atomic h; atomic_int x;
         void *a(void *u) { if (x) { int *c = malloc(8); c[0] = 7; c[1] = 7; h = c; } struct s *s = malloc(sizeof *s); pthread_mutex_init(&s->m, NULL); g = s; pthread_mutex_lock(&s->m); s->v = 1; pthread_mutex_unlock(&s->m); return u; }
         void *b(void *u) { x = 1; struct s *s = g; if (s) { pthread_mutex_lock(&s->m); s->v = 2; pthread_mutex_unlock(&s->m); } return u; }",
    ),
    (
        "a lock that somebody holds who waits in a loop",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; atomic_int x;
         void *a(void *u) { pthread_mutex_lock(&m); while (!x) {} pthread_mutex_unlock(&m); return u; }
         void *b(void *u) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return u; }",
    ),
    (
        "a lock that is tried for ever",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *a(void *u) { pthread_mutex_lock(&m); return u; }
         void *b(void *u) { while (pthread_mutex_trylock(&m)) {} pthread_mutex_unlock(&m); return u; }",
    ),
    (
        "a lock that main leaves held and a thread tries for ever",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *a(void *u) { while (pthread_mutex_trylock(&m)) {} pthread_mutex_unlock(&m); return u; }
         int main(void) { pthread_t p; pthread_mutex_lock(&m); pthread_create(&p, NULL, a, NULL); pthread_join(p, NULL); return 0; }",
    ),
    (
        "a lock that main takes and nobody gives back",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *a(void *u) { if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m); return u; }
         int main(void) { pthread_t p, q; pthread_mutex_lock(&m); pthread_create(&p, NULL, a, NULL); pthread_create(&q, NULL, a, NULL); pthread_exit(NULL); }",
    ),
    (
        "a lock that main takes and one path gives back",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; atomic_int x;
         void *a(void *u) { x = 1; if (!pthread_rwlock_tryrdlock(&l)) pthread_rwlock_unlock(&l); return u; }
         int main(void) { pthread_t p; pthread_rwlock_rdlock(&l); pthread_create(&p, NULL, a, NULL); if (!x) pthread_rwlock_unlock(&l); pthread_join(p, NULL); return 0; }",
    ),
    (
        "a lock that main takes, beside what others use",
        "struct s { pthread_mutex_t m; atomic_int x; } *s;
         void *a(void *u) { s->x++; return u; }
         int main(void) { pthread_t p; s = malloc(sizeof *s); s->x = 0; if (fp_choose(0, 1)) { pthread_mutex_init(&s->m, NULL); pthread_mutex_lock(&s->m); } pthread_create(&p, NULL, a, NULL); s->x++; pthread_join(p, NULL); pthread_exit(NULL); }",
    ),
    (
        "a lock that main takes and gives back before others use what is beside it",
        "struct s { pthread_mutex_t m; atomic_int x; } *s;
         void *a(void *u) { s->x++; return u; }
         int main(void) { pthread_t p; s = malloc(sizeof *s); s->x = 0; if (fp_choose(0, 1)) { pthread_mutex_init(&s->m, NULL); pthread_mutex_lock(&s->m); pthread_mutex_unlock(&s->m); } pthread_create(&p, NULL, a, NULL); s->x++; pthread_join(p, NULL); return 0; }",
    ),
    (
        "a lock that main takes in a block that it frees",
        "struct s { pthread_mutex_t m; atomic_int x; } *s;
         void *a(void *u) { s->x++; return u; }
         int main(void) { pthread_t p; s = malloc(sizeof *s); s->x = 0; pthread_mutex_init(&s->m, NULL); pthread_mutex_lock(&s->m); pthread_create(&p, NULL, a, NULL); s->x++; pthread_join(p, NULL); free(s); return 0; }",
    ),
    (
        "a lock on the stack of main that a thread leaves held",
        "void *a(void *u) { if (pthread_mutex_trylock(u)) return 0; return u; }
         int main(void) { pthread_t p; pthread_mutex_t m; pthread_mutex_init(&m, NULL); pthread_create(&p, NULL, a, &m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_join(p, NULL); return 0; }",
    ),
    (
        "what a thread does before it goes wrong is seen",
        "atomic_int x;
         void *a(void *u) { x = 1; assert(0); return u; }
         void *b(void *u) { if (x == 1) *(int *)0 = 1; return u; }",
    ),
    (
        "main returns what is undefined while others run",
        "atomic_int x;
         void *a(void *u) { if (x == 1) assert(0); return u; }
         int main(void) { int r; pthread_t p; pthread_create(&p, NULL, a, NULL); x = 1; return r; }",
    ),
    (
        "a block is lost by a thread that alone uses the pointer to it",
        "int *p;
         void *a(void *u) { p = malloc(sizeof *p); return u; }
         int main(void) { pthread_t t; p = malloc(sizeof *p); pthread_create(&t, NULL, a, NULL); pthread_join(t, NULL); return 0; }",
    ),
    (
        "a number stands at an odd address if the other thread is faster",
        "_Alignas(8) char buffer[16]; atomic_int used;
         void *a(void *u) { used += 1; return u; }
         void *b(void *u) { int *p = (int *)&buffer[used]; *p = 1; fp_observe(\"p\", *p); return u; }",
    ),
    (
        "members of a packed struct, as members and not",
        "struct __attribute__((packed)) m { char c; int i; } m; int *_Atomic p;
         void *a(void *u) { m.i = 1; p = (int *)((char *)&m + 1); return u; }
         void *b(void *u) { if (p) { m.i++; fp_observe(\"i\", m.i); *p = 3; } return u; }",
    ),
    (
        "quotients that do not fit, or by nothing, and one that is right",
        "atomic_int d = 1;
         void *a(void *u) { d = -1; d = 0; return u; }
         void *b(void *u) { int v = d; fp_observe(\"q\", -7 / (v + 2)); fp_observe(\"r\", (-2147483647 - 1) / v); return u; }",
    ),
    (
        "a remainder whose quotient does not fit",
        "atomic_int d = 3, n = -2147483647 - 1;
         void *a(void *u) { d = -1; n = 5; return u; }
         void *b(void *u) { int v = d, w = n; fp_observe(\"r\", w % v); return u; }",
    ),
    (
        "signed shifts into the sign, of negative numbers and too far",
        "atomic_int n = 29;
         void *a(void *u) { n = 31; n = -1; return u; }
         void *b(void *u) { int v = n; fp_observe(\"l\", v << 1); fp_observe(\"s\", 1 << v); return u; }",
    ),
    (
        "unsigned shifts lose bits, and may be too far",
        "atomic_uint n = 31;
         void *a(void *u) { n = 32; return u; }
         void *b(void *u) { unsigned v = n; fp_observe(\"l\", 3u << v); fp_observe(\"r\", 3u >> v); return u; }",
    ),
    (
        "an index leaves an array inside of a struct, or the struct, if the other thread is faster",
        "struct { int a[2], b[2]; } s; atomic_int n = 1;
         void *a(void *u) { n = 2; n = 4; return u; }
         void *b(void *u) { int i = n; fp_observe(\"s\", s.a[i - 1]); s.a[i] = 1; return u; }",
    ),
    (
        "one thread overflows, another one fails",
        "int r = 1;
         void *a(void *u) { r += 2147483647; return u; }
         void *b(void *u) { assert(0); return u; }",
    ),
    (
        "an update of an object of one thread is a fence",
        "atomic_int x, y; int mine, yours;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); __atomic_fetch_add(&mine, 1, 0); fp_observe(\"y\", atomic_load_explicit(&y, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&y, 1, 0); __atomic_fetch_add(&yours, 1, 0); fp_observe(\"x\", atomic_load_explicit(&x, 0)); return u; }",
    ),
    (
        "a lock of one thread is a fence, and may be left held",
        "atomic_int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); pthread_mutex_lock(&m); fp_observe(\"y\", atomic_load_explicit(&y, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&y, 1, 0); pthread_mutex_lock(&n); fp_observe(\"x\", atomic_load_explicit(&x, 0)); return u; }",
    ),
    (
        "a thread ends the program",
        "atomic_int x; int *p;
         void *a(void *u) { p = malloc(4); p = NULL; fp_observe(\"a\", 1); if (x == 2) exit(0); fp_observe(\"x\", x); return u; }
         int main(void) { pthread_t t; pthread_create(&t, NULL, a, NULL); x = 2; fp_observe(\"main\", 1); pthread_join(t, NULL); return 0; }",
    ),
    (
        "readers of a pair that is written with a count, wrongly",
        "atomic_int count, x, y;
         void *w(void *u) { for (int i = 1; i < 3; i++) { x = i; y = i; count = 2 * i; } return u; }
         void *r(void *u) { int c = count; int p = x, q = y; if (c == count) assert(p == q); return u; }
         int main(void) { pthread_t a, b, c; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, r, 0); pthread_create(&c, 0, r, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }",
    ),
    (
        "readers of a pair that is written with a count",
        "atomic_int count, x, y;
         void *w(void *u) { for (int i = 1; i < 3; i++) { count++; x = i; y = i; count++; } return u; }
         void *r(void *u) { int c = count; if (c % 2) return 0; int p = x, q = y; if (c == count) assert(p == q); return u; }
         int main(void) { pthread_t a, b, c; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, r, 0); pthread_create(&c, 0, r, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }",
    ),
    (
        "a reader loses a block if it sees a certain value",
        "atomic_int x;
         void *a(void *u) { x = 1; x = 2; return u; }
         void *b(void *u) { int *p = malloc(4); *p = x; if (*p != 1) free(p); return u; }",
    ),
    (
        "a reader waits for ever if it comes late enough, but not too late",
        "atomic_int x;
         void *a(void *u) { x = 1; x = 2; return u; }
         void *b(void *u) { if (x == 1) while (x == 2) {} return u; }",
    ),
    (
        "a reader waits in a section",
        "atomic_int x;
         void *a(void *u) { x = 1; x = 2; return u; }
         void *b(void *u) { if (x == 1) { __fp_atomic_begin(); __fp_assume(x == 1); __fp_atomic_end(); } return u; }",
    ),
    (
        "a reader has a global of its own",
        "atomic_int x; int seen;
         void *a(void *u) { x = 1; x = 2; return u; }
         void *b(void *u) { seen = x; seen += x; assert(seen != 3); return u; }",
    ),
    (
        "a reader that writes if it sees a certain value",
        "atomic_int x, y;
         void *a(void *u) { x = 1; x = 2; assert(y == 0); return u; }
         void *b(void *u) { if (x == 1) y = 1; return u; }",
    ),
    (
        "a reader of a block that is freed",
        "atomic_int x; int *p;
         void *b(void *u) { if (x) return 0; int r = *p; assert(r == 0); return 0; }
         int main(void) { pthread_t t; p = calloc(1, 4); pthread_create(&t, 0, b, 0); x = 1; *p = 1; free(p); pthread_join(t, 0); return 0; }",
    ),
    (
        "a reader with a choice and an array of its own",
        "atomic_int x;
         void *a(void *u) { x = 1; x = 2; return u; }
         void *b(void *u) { int all[3] = {0, 0, 0}; for (int i = 0; i < 2; i++) if (fp_choose(0, 1)) all[x]++; assert(all[1] < 2 || all[2]); return u; }",
    ),
    (
        "a writer whom nobody influences, and one who is",
        "atomic_int x, y, z;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); atomic_store_explicit(&y, 1, 0); fp_observe(\"own\", atomic_load_explicit(&x, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&z, 1, 0); fp_observe(\"y\", atomic_load_explicit(&y, 0)); fp_observe(\"x\", atomic_load_explicit(&x, 0)); return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, 0, a, 0); pthread_create(&q, 0, b, 0); fp_observe(\"z\", atomic_load_explicit(&z, 0)); pthread_join(p, 0); pthread_join(q, 0); return 0; }",
    ),
    (
        "a writer who is influenced only after a while",
        "atomic_int x, y, z;
         void *a(void *u) { atomic_store_explicit(&x, 1, 0); if (atomic_load_explicit(&z, 0)) return 0; fp_observe(\"y\", atomic_load_explicit(&y, 0)); return u; }
         void *b(void *u) { atomic_store_explicit(&y, 1, 0); int r = atomic_load_explicit(&x, 0); fp_observe(\"x\", r); if (r) atomic_store_explicit(&z, 1, 0); return u; }",
    ),
    (
        "what is computed from freed memory does not overflow",
        "int *p, y;
         void *a(void *u) { free(p); return u; }
         void *b(void *u) { int r = *p; y = (r ^ r) + 3; return u; }
         int main(void) { pthread_t s, t; p = malloc(sizeof *p); *p = 1; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }",
    ),
    (
        "what follows a read of freed memory is not told",
        "int *p, one = 1; atomic_int freed;
         void *a(void *u) { free(p); freed = 1; return u; }
         void *b(void *u) { while (!freed) {} int r = *p; one += 2147483647; assert(0); return u; }
         int main(void) { pthread_t s, t; p = malloc(sizeof *p); *p = 1; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }",
    ),
    (
        "a thread would share more if it did not overflow",
        "int x[2], r = 1;
         void *a(void *u) { r += 2147483647; return x[1] ? u : 0; }
         void *b(void *u) { x[0] = 3; assert(0); return u; }",
    ),
    (
        "a thread that starts threads stops before",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int z;
         void *in(void *u) { pthread_mutex_lock(&m); z++; pthread_mutex_unlock(&m); return u; }
         void *a(void *u) { assert(z < 1); pthread_t q; pthread_create(&q, 0, in, 0); return u; }
         void *b(void *u) { return a(u); }",
    ),
    (
        "main stops between a join and a start",
        "atomic_int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int z;
         void *in(void *u) { pthread_mutex_lock(&m); z++; pthread_mutex_unlock(&m); return u; }
         void *f(void *u) { int r = pthread_mutex_trylock(&m); r = atomic_fetch_add(&x, 1); if (!r) pthread_mutex_unlock(&m); return 0; }
         int main(void) { pthread_t a, b, q; pthread_create(&a, 0, f, 0); pthread_create(&q, 0, in, 0); pthread_join(q, 0); pthread_create(&b, 0, f, 0); assert(x < 2); pthread_join(b, 0); return 0; }",
    ),
    (
        "a loop that calls a function with an object of its own",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int z;
         int try(void) { int r; int *p = &r; *p = pthread_mutex_trylock(&m); return !r; }
         void *a(void *u) { while (!try()) {} z++; pthread_mutex_unlock(&m); return u; }
         void *b(void *u) { return a(u); }",
    ),
    (
        "a loop that calls such a function for ever",
        "atomic_int l;
         int try(void) { int q = 7; int *p = &q; if (l) *p = 3; return *p == 7; }
         void *f(void *u) { while (!try()) {} return 0; }
         int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); l = 1; pthread_join(p, 0); return 0; }",
    ),
    (
        "the address of an object of a call is kept",
        "int *kept(int **out) { int q = 7; *out = &q; return &q; }
         void *a(void *u) { int *p, *q = kept(&p), r = 5; int *s = &r; assert(*s == 5 && q == p && s != p); return u; }
         void *b(void *u) { return a(u); }",
    ),
    (
        "nobody sees a section that goes wrong",
        "int one = 1, x;
         void *a(void *u) { fp_atomic { x = 1; assert(one == 0); } return u; }
         void *b(void *u) { if (x == 1) *(int *)0 = 1; return u; }",
    ),
    (
        "a section that waits reads what it wrote",
        "int o; atomic_int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *a(void *u) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
         void *b(void *u) { fp_atomic { o = !!pthread_mutex_trylock(&m); fp_assume(o); } return 0; }",
    ),
    (
        "like threads lose an update",
        "int x; void *a(void *u) { int r = x; x = r + 1; return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(x == 2); return 0; }",
    ),
    (
        "like threads lose no update",
        "atomic_int x; void *a(void *u) { int r = x; while (!atomic_compare_exchange_weak(&x, &r, r + 1)) {} return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(x == 2); return 0; }",
    ),
    (
        "three like threads",
        "atomic_int x, y; void *a(void *u) { int r = x++; if (r == 1) y = 1; else if (y) assert(r == 2); return u; }
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(x == 3); return 0; }",
    ),
    (
        "like threads end differently",
        "atomic_int x; void *a(void *u) { return (void *)(long)x++; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); void *p, *q; pthread_join(t[0], &p); pthread_join(t[1], &q); assert(!p); return 0; }",
    ),
    (
        "main does something when the first of like threads has ended",
        "atomic_int x, go; void *a(void *u) { if (x++ == 0) while (!go) {} return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); pthread_join(t[0], 0); go = 1; pthread_join(t[1], 0); return 0; }",
    ),
    (
        "main helps like threads before it waits",
        "atomic_int x, go; void *a(void *u) { if (x++ == 0) while (!go) {} return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); go = 1; pthread_join(t[0], 0); pthread_join(t[1], 0); return 0; }",
    ),
    (
        "one of like threads holds a lock when it ends",
        "atomic_int held; void *a(void *u) { __fp_atomic_begin(); __fp_assume(!held); held = 1; __fp_atomic_end(); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); pthread_join(t[1], 0); held = 0; pthread_join(t[0], 0); return 0; }",
    ),
    (
        "main awaits only one of like threads",
        "atomic_int x; void *a(void *u) { x++; return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); pthread_join(t[1], 0); int r = x; fp_observe(\"x\", r); assert(r == 2); return 0; }",
    ),
    (
        "main awaits one of three like threads and then reads",
        "atomic_int x, y; void *a(void *u) { int r = x++; if (r == 2) y = x; return u; }
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, a, 0); pthread_join(t[1], 0); if (x == 3) fp_observe(\"y\", y); pthread_join(t[2], 0); fp_observe(\"x\", x); pthread_join(t[0], 0); return 0; }",
    ),
    (
        "like threads that ask who they are",
        "unsigned long x; void *a(void *u) { x = pthread_self(); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(x == t[1]); return 0; }",
    ),
    (
        "like threads with a mutex",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; void *a(void *u) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(x == 2); return 0; }",
    ),
    (
        "like threads with blocks of their own",
        "_Atomic(int *) x; void *a(void *u) { int *p = malloc(4); *p = 1; int *q = atomic_exchange(&x, p); assert(p != q); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }",
    ),
    (
        "like threads show what they see",
        "atomic_int x; void *a(void *u) { fp_observe(\"x\", x++); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }",
    ),
    (
        "like threads that buffer",
        "atomic_int x, y; void *a(void *u) { atomic_store_explicit(&x, 1, 0); if (!atomic_load_explicit(&y, 0)) atomic_store_explicit(&y, 1, 0); else assert(atomic_load_explicit(&x, 0)); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }",
    ),
    (
        "like threads, of which one ends the program",
        "atomic_int x; void *a(void *u) { if (x++) exit(0); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); pthread_join(t[0], 0); x = 5; pthread_join(t[1], 0); return 0; }",
    ),
    (
        "like threads with different handles in an array",
        "atomic_int x; void *a(void *u) { x = x + 1; return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); int k = x; pthread_join(t[k % 2], 0); pthread_join(t[1 - k % 2], 0); assert(x); return 0; }",
    ),
    (
        "like readers and a writer",
        "atomic_int x; void *w(void *u) { x = 1; x = 2; return u; } void *a(void *u) { int r = x; assert(r <= x); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); pthread_t w0; pthread_create(&w0, 0, w, 0); pthread_join(t[1], 0); x = 3; pthread_join(t[0], 0); pthread_join(w0, 0); return 0; }",
    ),
    (
        "like threads that are never awaited",
        "atomic_int x; void *a(void *u) { int r = x; x = r + 1; assert(x < 2); return u; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, a, 0); return x; }",
    ),
    (
        "a weak compare-and-swap that is tried again",
        "atomic_int x;
         void *a(void *u) { int e = x; while (!atomic_compare_exchange_weak(&x, &e, e + 1)) {} return u; }
         void *b(void *u) { int e = x; while (!atomic_compare_exchange_weak(&x, &e, e + 2)) {} return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, NULL, a, NULL); pthread_create(&q, NULL, b, NULL); pthread_join(p, NULL); pthread_join(q, NULL); assert(x != 3); return 0; }",
    ),
    (
        "choices among all numbers that are compared with constants",
        "int __VERIFIER_nondet_int(void); atomic_int x;
         void *a(void *u) { int c = __VERIFIER_nondet_int(), d = c; x = c < -3 ? 1 : d == 7 ? 2 : (unsigned)c > 0x80000005u ? 3 : 4; assert(d >= -3 || (unsigned)c <= 0x80000005u); return u; }
         void *b(void *u) { fp_observe(\"x\", x); switch (__VERIFIER_nondet_int()) { case -1: x = 5; break; case 3 ... 5: x = 6; } return u; }",
    ),
    (
        "choices of which the remainder or some bits are used",
        "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); atomic_int x, y;
         void *a(void *u) { x = __VERIFIER_nondet_int() % 3; y = __VERIFIER_nondet_uint() % 2; fp_observe(\"x\", x); return u; }
         void *b(void *u) { int c = __VERIFIER_nondet_int() & 10; assert(c != 8 || x != -2); fp_observe(\"c\", c + y); return u; }",
    ),
    (
        "elements of an array that main fills and reads",
        "int id[3], r[3]; atomic_int x;
         void *a(void *u) { int i = *(int *)u; r[i] = i + x; return u; }
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) { id[i] = i; pthread_create(&t[i], 0, a, &id[i]); } x = 5; for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(r[0] + r[1] + r[2] != 13); fp_observe(\"sum\", r[0] + r[1]); return 0; }",
    ),
    (
        "an element that main reads too early",
        "int r[2]; void *a(void *u) { *(int *)u = 1; return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, 0, a, &r[0]); pthread_create(&q, 0, a, &r[1]); pthread_join(p, 0); fp_observe(\"r\", r[0] + 2 * r[1]); assert(r[1]); pthread_join(q, 0); return 0; }",
    ),
    (
        "a thread that goes on behind its message",
        "atomic_int f; int x; void *a(void *u) { f = 1; x = 1; return u; }
         int main(void) { pthread_t p; pthread_create(&p, 0, a, 0); if (f) { fp_observe(\"x\", x); assert(x); } pthread_join(p, 0); return 0; }",
    ),
    (
        "a thread that is started behind a message",
        "atomic_int f; int x; void *b(void *u) { fp_observe(\"x\", x); assert(!x); return u; } void *a(void *u) { f = 1; x = 1; return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, 0, a, 0); if (f) { pthread_create(&q, 0, b, 0); pthread_join(q, 0); } pthread_join(p, 0); return 0; }",
    ),
    (
        "a thread that another one awaits",
        "pthread_t p; int x; atomic_int f; void *a(void *u) { x++; return u; } void *b(void *u) { pthread_join(p, 0); f = 1; return u; }
         int main(void) { pthread_t q; pthread_create(&p, 0, a, 0); pthread_create(&q, 0, b, 0); if (f) x = x + 2; else fp_observe(\"x\", x); pthread_join(q, 0); assert(x != 3); return 0; }",
    ),
    (
        "grandchildren beside their grandparent",
        "int x; void *b(void *u) { x = 1; return u; } void *a(void *u) { pthread_t q; pthread_create(&q, 0, b, 0); if (!u) pthread_join(q, 0); return u; }
         int main(void) { pthread_t p; pthread_create(&p, 0, a, &x); pthread_join(p, 0); fp_observe(\"x\", x); assert(x); return 0; }",
    ),
    (
        "a quiet thread that ends the program",
        "int r; void *a(void *u) { r = 1; if (u) exit(1); return u; }
         int main(void) { pthread_t p; pthread_create(&p, 0, a, &r); fp_observe(\"one\", 1); assert(0); return 0; }",
    ),
    (
        "a quiet thread that uses a local whose call may have returned",
        "atomic_int f; void *a(void *u) { assert(*(int *)u == 1); return u; }
         pthread_t start(void) { int x = 1; pthread_t p; pthread_create(&p, 0, a, &x); f = 1; return p; }
         int main(void) { pthread_t p = start(); f = 2; pthread_join(p, 0); return 0; }",
    ),
    (
        "sums of doubles that are rounded",
        "_Atomic double sum; double two[] = {1e16, -1e16};
         void *add(void *p) { sum += *(double *)p; return 0; }
         int main(void) { pthread_t a, b; pthread_create(&a, 0, add, &two[0]); pthread_create(&b, 0, add, &two[1]); sum += 1; pthread_join(a, 0); pthread_join(b, 0); fp_observe(\"sum\", sum); assert(sum == 1 || sum == 0); return 0; }",
    ),
    (
        "a number that is no number yet",
        "float x = 0.0f / 0.0f; atomic_int f;
         void *a(void *u) { x = 2.5f; atomic_store_explicit(&f, 1, 0); return u; }
         void *b(void *u) { float seen = x; if (seen > 2) fp_observe(\"seen\", (int)(seen * 2)); else assert(seen != seen); return u; }",
    ),
    (
        "a quotient that may not fit",
        "atomic_int n; double low = 0x1p31;
         void *a(void *u) { n = 2; return u; }
         void *b(void *u) { double by = n; fp_observe(\"part\", (int)(low / by)); return u; }",
    ),
    (
        "two halves of a float",
        "union { float f; unsigned short h[2]; } u = { 1.5f };
         void *a(void *p) { u.h[0] = 0; u.h[1] = 0x4020; return p; }
         int main(void) { pthread_t t; pthread_create(&t, 0, a, 0); unsigned short l = u.h[0], h = u.h[1]; pthread_join(t, 0); unsigned both = h << 16 | l; float g; __builtin_memcpy(&g, &both, 4); fp_observe(\"g\", g > 2); assert(g == 1.5f || g == 2.5f); return 0; }",
    ),
    (
        "what like threads read, main writes when one of them has ended",
        "int x = 1; void *f(void *u) { assert(x == 1); return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, 0); pthread_join(p, 0); x = 2; pthread_join(q, 0); return 0; }",
    ),
    (
        "what like threads read, main writes when all of them have ended",
        "int x = 1; void *f(void *u) { assert(x == 1); return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, 0); pthread_join(p, 0); pthread_join(q, 0); x = 2; return 0; }",
    ),
    (
        "a block that like threads read is freed when one of them has ended",
        "int *h; void *f(void *u) { assert(*h == 1); return u; }
         int main(void) { pthread_t p, q; h = malloc(4); *h = 1; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, 0); pthread_join(q, 0); free(h); pthread_join(p, 0); return 0; }",
    ),
    (
        "like threads that main starts again after it has written",
        "int x = 1; void *f(void *u) { assert(x < 3); return u; }
         int main(void) { pthread_t p, q; for (int i = 0; i < 2; i++) { pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, 0); if (i) x = 3; pthread_join(p, 0); pthread_join(q, 0); x = 2; } return 0; }",
    ),
    (
        "the last thread finds what the others left",
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *f(void *u) { pthread_mutex_lock(&m); x = 2 * x + (u != 0); pthread_mutex_unlock(&m); return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, &x); pthread_join(p, 0); pthread_join(q, 0); x = x + 1; int k = x; x = 0; fp_observe(\"k\", k); assert(k == 2 || x == 0); assert(k == 2); return 0; }",
    ),
    (
        "the last thread waits for ever, and writes on its way",
        "atomic_int x, y; void *f(void *u) { x = 1; y = 1; return u; }
         int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); y = 2; pthread_join(p, 0); while (x != y) { x = 3; x = 1; } return 0; }",
    ),
    (
        "the last thread chooses, and takes a lock that is held",
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *f(void *u) { pthread_mutex_lock(&m); if (x == 0) pthread_mutex_unlock(&m); return u; }
         int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); x = 1; pthread_join(p, 0); x = 2; if (fp_choose(0, 1)) { x = 3; pthread_mutex_lock(&m); x = 4; } assert(x != 3); return 0; }",
    ),
    (
        "a thread is started after the last one was awaited",
        "atomic_int x; void *f(void *u) { x = 2 * x + 1; return u; }
         int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); x = 1; pthread_join(p, 0); x = x + 1; pthread_create(&p, 0, f, 0); fp_observe(\"x\", x); pthread_join(p, 0); assert(x < 9); return 0; }",
    ),
];
