/* <immintrin.h>: the barriers and the pause of x86, by Intel's names. There are no vectors. */
#pragma once

#define _mm_pause() __builtin_ia32_pause()
#define _mm_mfence() __builtin_ia32_mfence()
#define _mm_lfence() __builtin_ia32_lfence()
#define _mm_sfence() __builtin_ia32_sfence()
