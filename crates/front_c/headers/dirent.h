/* <dirent.h>: declarations only, so that programs can include it. There are no files. */
#pragma once

#include <sys/types.h>

typedef struct __fp_dirstream DIR;

struct dirent {
    unsigned long d_ino;
    long d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10

DIR *opendir(const char *name);
struct dirent *readdir(DIR *folder);
void rewinddir(DIR *folder);
int closedir(DIR *folder);
