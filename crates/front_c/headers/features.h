/* <features.h>, <sys/cdefs.h>: which C library this is; nothing that a program needs. */
#pragma once
