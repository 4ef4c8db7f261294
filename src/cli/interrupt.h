/* Ctrl-C: the first one asks an exploration to stop and report, the second one ends the process at once. */
#pragma once
#include <signal.h>

/* Becomes non-zero when SIGINT or SIGTERM has come. Written by the signal handler, read by explorer and machine. */
extern volatile sig_atomic_t interrupt_requested;
void interrupt_catch(void);
