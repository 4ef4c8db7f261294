/* Functions that the C library has in several versions, and that programs built for ThreadSanitizer's library ask for without one: they
 * would get the oldest. */
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <regex.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "intercept/intercept.h"

#define FORWARD(result, function, parameters, arguments) \
  PUBLIC result function parameters { return NEXT(function) arguments; }

FORWARD(char *, realpath, (const char *path, char *out), (path, out))
FORWARD(int, posix_spawn,
        (pid_t * pid, const char *path, const posix_spawn_file_actions_t *a, const posix_spawnattr_t *b, char *const argv[],
         char *const envp[]),
        (pid, path, a, b, argv, envp))
FORWARD(int, posix_spawnp,
        (pid_t * pid, const char *path, const posix_spawn_file_actions_t *a, const posix_spawnattr_t *b, char *const argv[],
         char *const envp[]),
        (pid, path, a, b, argv, envp))
FORWARD(int, glob, (const char *pattern, int flags, int (*error)(const char *, int), glob_t *out), (pattern, flags, error, out))
#pragma GCC diagnostic ignored "-Wvla-parameter" /* the header says how long m is by n */
FORWARD(int, regexec, (const regex_t *r, const char *s, size_t n, regmatch_t m[], int flags), (r, s, n, m, flags))
FORWARD(FILE *, fmemopen, (void *p, size_t n, const char *mode), (p, n, mode))
FORWARD(int, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *set), (pid, n, set))
