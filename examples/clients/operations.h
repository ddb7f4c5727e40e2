/* Tells Fencepost where an operation of the data type begins and ends. A compiler sees nothing.

   The clients also define the operations of tests (`fencepost check`), which only Fencepost
   compiles: `init`, and functions that pick an argument, show it, and show the result. */
#pragma once

#ifdef __FENCEPOST__
#include <fencepost.h>
#else
#define fp_operation_begin(...) ((void)0)
#define fp_operation_end(...) ((void)0)
#endif
