/* Threads that keep what they have beyond their end. */
#pragma once
#include "thread.h"

/* Tells of all threads of this process that were neither joined nor detached by now. */
void leaks_report(struct thread *t);
