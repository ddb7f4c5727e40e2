/* <signal.h>: names only, so that programs can include it. There are no signals: to ask for one is
   refused where it is written, since nothing defines these functions. */
#pragma once

#define SIGHUP 1
#define SIGINT 2
#define SIGABRT 6
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15

typedef int sig_atomic_t;

void (*signal(int number, void (*handler)(int)))(int);
int raise(int number);
