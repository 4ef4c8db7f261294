// Programs ask at run time which C library it is, as libuv does for the size of its threads' stacks.
// verdict: SAFE
#include <assert.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *version = gnu_get_libc_version(), *dot = strchr(version, '.');
  assert(dot && atoi(version) == 2 && atoi(dot + 1) >= 36 && strcmp(gnu_get_libc_release(), "stable") == 0);
}
