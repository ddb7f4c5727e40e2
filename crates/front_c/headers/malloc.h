/* <malloc.h>: an old name of a part of <stdlib.h>. */
#pragma once

#include <stdlib.h>
