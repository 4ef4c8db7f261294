/* Ctrl-C: the first one asks a command to end and report (base/deadline.h), the second one ends the process at once. SIGTERM does the same.
 */
#pragma once

void interrupt_catch(void);
