/* The edition of <fencepost/lkmm_calls.h> in which memory_order_once follows memory_order_relaxed. */
#pragma once

#define __FP_LKMM_ONCE 1
