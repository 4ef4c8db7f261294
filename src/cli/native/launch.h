/* Running a program that was built again (rebuild.h): for heddle trace and heddle record. */
#pragma once
#include "cli/native/rebuild.h"

struct launch_end {
  int status; /* as waitpid() has it */
  bool hung;  /* it was stopped when its time was over */
};

/* Appends the absolute path of the file that the program writes: `output`, or the program's name and the ending. */
[[nodiscard]] enum err launch_output(const char *output, const char *program, const char *ending, struct text *path, struct diag *d);
/* Runs it to its end. `words`: its arguments, with its name. `seconds`: how long it may run; 0: as long as it likes. Addresses are not
 * randomised, where that is allowed. */
[[nodiscard]] enum err launch_run(const char *path, char *const *words, double seconds, struct launch_end *end, struct diag *d);
/* Says on standard error which parts of the program are not recorded. */
void launch_say_missing(const struct rebuild *r);
