/* Where something was done that happens seldom, with the calls through code that was not compiled to be watched, as the C++ library's
 * std::thread() is: those are not among a thread's calls, but the stack has them. */
#pragma once
#include "thread.h"

/* The place of a call that returns to pc, as thread_site(), with those calls. For the runtime's functions that programs call. */
uint32_t unwound_site(struct thread *t, uintptr_t pc, enum site_kind kind);
