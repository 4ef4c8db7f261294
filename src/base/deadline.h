/* When the work at hand has to end: at a limit on time, or because somebody asked for it (Ctrl-C).
 *
 * There is one deadline for the process, as signals come to processes. What may run long looks at `deadline_passed`: a load, so it can be
 * looked at in every step, question or finding. It becomes non-zero at the time that was set last (the handler of a timer), or when
 * deadline_interrupt() is called (the handler of SIGINT), and stays so until a new time is set.
 *
 * A command has several phases, and each has its own time: `heddle check --time=10` explores until 9 s, shortens until 10 s, and has a
 * little more to run the findings again that it reports.
 *
 * A process that is forked keeps `deadline_passed`, but not the timer: it calls deadline_inherit(). */
#pragma once
#include <signal.h>

enum deadline { DEADLINE_NONE, DEADLINE_TIME, DEADLINE_INTERRUPTED };

/* One of enum deadline. Written by handlers of signals and by the functions here; read everywhere. */
extern volatile sig_atomic_t deadline_passed;

/* Seconds of a clock that does not jump. */
double deadline_now(void);
/* The work has to end at this time of deadline_now(); 0: at none. If it is over, it has passed already. An interruption is not forgotten.
 */
void deadline_set(double at);
/* The same; what interrupted the work before does not count any more. */
void deadline_renew(double at);
/* The work has to end now. May be called by a handler. */
void deadline_interrupt(void);
/* In a process just forked: the time that was set holds there, too, and so many seconds more; SIGTERM is an interruption. */
void deadline_inherit(double more);
