/* <setjmp.h>: names only, so that programs can include it. Jumps between functions are refused where
   they are written, since nothing defines these functions. */
#pragma once

typedef struct {
    long __fp_place[8];
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;

int setjmp(jmp_buf place);
int _setjmp(jmp_buf place);
int sigsetjmp(sigjmp_buf place, int mask);
_Noreturn void longjmp(jmp_buf place, int value);
_Noreturn void siglongjmp(sigjmp_buf place, int value);
