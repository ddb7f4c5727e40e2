/* Snark as published, with a client for its first bug. */
#include "snark.h"
#include "empty.h"
