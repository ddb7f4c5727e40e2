/* <memory.h>: an old name of <string.h>. */
#pragma once

#include <string.h>
