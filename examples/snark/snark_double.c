/* Snark as published, with a client for its second bug. */
#include "snark.h"
#include "double.h"
