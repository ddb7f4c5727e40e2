/* Snark with both bugs corrected, for tests. */
#define CORRECTED
#include "snark.h"
