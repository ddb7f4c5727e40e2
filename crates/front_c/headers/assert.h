/* <assert.h>: C11 7.2. Has no guard on purpose: each inclusion looks at NDEBUG again. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) __fp_assert((condition), #condition)
#endif

#undef static_assert
#define static_assert _Static_assert
