/* Snark as published, for tests. */
#include "snark.h"
