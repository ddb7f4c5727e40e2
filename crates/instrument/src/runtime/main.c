@BUFFERS/* When the program ends, what main has stored is in memory; what others have stored may be. */
@GRAPH/* The program ends once what it did is an execution. */
int weak_main(@PARAMETERS);

@RUNSstatic int weak_once(int argc, char **argv) {
@ONCEint main(@PARAMETERS) {
    int status = weak_main(@ARGUMENTS);
@BUFFERS    weak_fence(WEAK_STORE_LOAD);
@GRAPH@WAITS    weak_settle();
@GRAPH@SPINS    if (!weak_complete()) weak_discard();
    return status;
}
@RUNS
@RUNS/* FILE [SEED [RUNS]]: runs the program once for each seed from SEED on, each time in a process of its
@RUNS   own, and says how the runs ended. One run alone ends as the program does. */
@RUNSint main(int argc, char **argv) {
@RUNS    unsigned long seed = argc > 1 ? strtoul(argv[1], 0, 10) : 1;
@RUNS    unsigned long runs = argc > 2 ? strtoul(argv[2], 0, 10) : 1;
@RUNS    unsigned long counts[256] = { 0 }, first[256] = { 0 };
@RUNS    for (unsigned long run = 0; run < runs; run++) {
@RUNS        int status;
@RUNS        fflush(stdout);
@RUNS        pid_t child = runs > 1 ? fork() : 0;
@RUNS        if (child < 0) return 2;
@RUNS        if (child == 0) {
@RUNS            weak_random = (seed + run) * 6364136223846793005ull + 1442695040888963407ull;
@RUNS            exit(weak_once(1, argv));
@RUNS        }
@RUNS        waitpid(child, &status, 0);
@RUNS        int end = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
@RUNS        if (counts[end]++ == 0) first[end] = seed + run;
@RUNS    }
@RUNS    for (int end = 0; end < 256; end++) {
@RUNS        if (counts[end] == 0) continue;
@RUNS        const char *what = end == 0 ? "" : end == WEAK_INCONCLUSIVE ? " (inconclusive)"
@RUNS@GRAPH                           : end == WEAK_DISCARDED ? " (discarded: not an execution)"
@RUNS                           : end == 134 ? " (abort, or a failed assertion)" : "";
@RUNS        fprintf(stderr, "status %d%s: %lu of %lu runs, first with seed %lu\n", end, what,
@RUNS                counts[end], runs, first[end]);
@RUNS    }
@RUNS    for (int end = 1; end < 256; end++)
@RUNS@BUFFERS        if (counts[end] > 0 && end != WEAK_INCONCLUSIVE) return 1;
@RUNS@GRAPH        if (counts[end] > 0 && end != WEAK_INCONCLUSIVE && end != WEAK_DISCARDED) return 1;
@RUNS    return 0;
@RUNS}
