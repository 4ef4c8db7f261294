/* A pipe between threads: bytes, ends that are closed, reads that do not wait. */
#include "generator.h"

static const char declarations[] =
    "#include <unistd.h>\n"
    "#include <fcntl.h>\n"
    "#include <errno.h>\n"
    "#include <signal.h>\n"
    "static int ends[2];\n";

static const struct statement_kind kinds[] = {
    {4, .text = "LOG(write(ends[1], \"xyz\", #));"},
    {3, .text = "{ char l[3] = {0}; LOG(read(ends[0], l, #)); LOG(l[0]); LOG(l[1]); }"},
    {1, .text = "LOG(close(ends[1]));"},
    {1, .text = "LOG(close(ends[0]));"},
    {1, .text = "{ char l = 0; if (read(ends[0], &l, 1) == 1) LOG(l); else LOG(errno); }"},
    {1, .text = "{ int n = dup(ends[1]); LOG(write(n, \"w\", 1)); LOG(close(n)); }"},
    {1, .text = "LOG(dup2(ends[1], ends[0]) == ends[0]);"},
    {1, .text = "{ int n[2]; LOG(pipe2(n, O_NONBLOCK)); char l; LOG(read(n[0], &l, 1)); close(n[0]); LOG(write(n[1], \"v\", 1)); close(n[1]); }"},
    {1, .text = "LOG(fcntl(ends[0], F_SETFL, O_NONBLOCK));"},
    {1, .text = "LOG(write(ends[1], &a, sizeof a));"},
    {1, .text = "{ int l = 0; if (read(ends[0], &l, sizeof l) == sizeof l) a = l; }"},
    {2, .text = "a = #;"},
    {1, .text = "b++;"},
    {1, .text = "LOG($);"},
};
const struct statement_family family_pipes = {declarations, "signal(SIGPIPE, SIG_IGN); pipe(ends);", kinds, sizeof kinds / sizeof *kinds};
