/* The edition of <fencepost/lkmm_calls.h> whose enumeration starts with __LKMM_once. */
#pragma once

#define __FP_LKMM_ONCE 0
