/* Snark as corrected by Doherty and others, with a client for its second bug. */
#define CORRECTED
#include "snark.h"
#include "double.h"
