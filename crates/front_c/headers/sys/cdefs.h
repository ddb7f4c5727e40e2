/* <sys/cdefs.h>: see <features.h>. */
#pragma once

#include <features.h>
