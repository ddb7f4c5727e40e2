/* <sys/cdefs.h>: see <features.h>. */
#pragma once

#include <features.h>

#define __BEGIN_DECLS
#define __END_DECLS
#define __P(args) args
#define __CONCAT(a, b) a##b
#define __STRING(text) #text
#define __ptr_t void *
