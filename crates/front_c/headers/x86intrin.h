/* <x86intrin.h>: as <immintrin.h>. */
#pragma once

#include <immintrin.h>
