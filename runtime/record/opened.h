#pragma once
#include <stdbool.h>

/* Looks which modules are loaded; those that were not there before were opened by the program, if `opened`. Between thread_enter() and
 * thread_leave(). */
void opened_look(bool opened);
void opened_after_fork(void);
