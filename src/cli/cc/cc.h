/* `heddle cc` and `heddle c++`: clang, and the bitcode of what it compiles added to what it writes. */
#pragma once
#include <stdbool.h>

/* `argv[0]` is the command's name ("cc"), the rest are clang's arguments. Returns the exit code: clang's own, or 2 if the bitcode cannot be
 * added. Where only clang is asked for something, this process becomes clang and does not return. */
int cli_cc(int argc, char **argv, bool cxx);
