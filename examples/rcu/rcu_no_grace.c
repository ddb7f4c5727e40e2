/* rcu.c without its grace period: an object is freed under a reader's feet. */
#define NO_GRACE_PERIOD
#include "rcu.c"
