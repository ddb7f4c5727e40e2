/* <emmintrin.h>: as <immintrin.h>. */
#pragma once

#include <immintrin.h>
