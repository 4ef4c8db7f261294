/* Signals. */
#include <signal.h>

#include "internal.h"

void __hd_signal_abort(void);
void __hd_signal_abort(void) {}
