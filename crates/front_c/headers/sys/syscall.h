/* <sys/syscall.h>: numbers of x86-64 only, so that programs can include it. There is no operating
   system: a system call that is reached is a finding. */
#pragma once

#define SYS_read 0
#define SYS_write 1
#define SYS_mmap 9
#define SYS_sched_yield 24
#define SYS_getpid 39
#define SYS_gettid 186
#define SYS_futex 202
#define SYS_getcpu 309
#define SYS_membarrier 324
#define SYS_rseq 334
#define __NR_gettid SYS_gettid
#define __NR_futex SYS_futex
#define __NR_getcpu SYS_getcpu
#define __NR_membarrier SYS_membarrier
#define __NR_rseq SYS_rseq

long syscall(long number, ...);
