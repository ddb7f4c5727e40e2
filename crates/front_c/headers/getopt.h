/* <getopt.h>: the options of a command line, one letter each (POSIX; no long ones). */
#pragma once

#include <stdio.h>

static char *optarg;
static int optind = 1, opterr = 1, optopt;
/* How far the letters of one argument have been looked at. */
static int __fp_letter;

static inline int getopt(int count, char *const arguments[], const char *options) {
    optarg = NULL;
    if (__fp_letter == 0) {
        if (optind >= count || arguments[optind][0] != '-' || arguments[optind][1] == 0) return -1;
        if (arguments[optind][1] == '-' && arguments[optind][2] == 0) {
            optind++;
            return -1;
        }
        __fp_letter = 1;
    }
    const char *text = arguments[optind];
    int letter = text[__fp_letter++];
    _Bool last = text[__fp_letter] == 0;
    _Bool quiet = *options == ':';
    const char *known = options + quiet;
    while (*known && (*known != letter || letter == ':')) known++;
    _Bool takes_argument = *known && known[1] == ':';
    if (takes_argument && !last) optarg = (char *)text + __fp_letter;
    if (takes_argument || last) {
        optind++;
        __fp_letter = 0;
    }
    if (takes_argument && last && optind < count) optarg = arguments[optind++];
    if (*known && (!takes_argument || optarg)) return letter;
    optopt = letter;
    if (opterr && !quiet) {
        if (*known) fprintf(stderr, "option requires an argument -- '%c'\n", letter);
        else fprintf(stderr, "invalid option -- '%c'\n", letter);
    }
    return quiet && *known ? ':' : '?';
}
