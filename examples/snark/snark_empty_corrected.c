/* Snark as corrected by Doherty and others, with a client for its first bug. */
#define CORRECTED
#include "snark.h"
#include "empty.h"
