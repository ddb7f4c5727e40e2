// Signals, with and without their header.
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t stopped;

static void stop(int number) { stopped = number; }

int main(void) {
    struct sigaction action = { .sa_handler = stop };
    signal(SIGINT, stop);
    return sigaction(SIGTERM, &action, NULL);
}
