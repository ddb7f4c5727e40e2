/* Snark with its first bug corrected and its second left, for tests. */
#define EMPTY_CORRECTED
#include "snark.h"
