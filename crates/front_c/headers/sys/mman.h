/* <sys/mman.h>: declarations only, so that programs can include it. There is no paging. */
#pragma once

#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_HUGETLB 0x40000
#define MAP_FAILED ((void *)-1)
#define MADV_NORMAL 0
#define MADV_DONTNEED 4
#define MADV_FREE 8
#define MADV_HUGEPAGE 14
#define MS_SYNC 4

void *mmap(void *address, size_t length, int protection, int flags, int file, long offset);
int munmap(void *address, size_t length);
int mprotect(void *address, size_t length, int protection);
int madvise(void *address, size_t length, int advice);
int msync(void *address, size_t length, int flags);
int mlock(const void *address, size_t length);
int munlock(const void *address, size_t length);
