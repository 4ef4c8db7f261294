/* Weaving a module to be recorded: each access with its value, and what decides which accesses come next.
 *
 *   for (i = 0; i < 9; i++)       no hook: the branch depends on constants alone
 *     if (list->head == v)        USE(list, &list->head); READ8(&list->head, value); BRANCH(direction)
 *
 * BRANCH stands before a branch, or an indirect call, whose direction, and before an access or a call whose address, is not settled
 * (settled.h): reads of memory may have decided it. It need not be recorded if the thread has read nothing since the last one. USE is a
 * BRANCH that also tells the pointer that fields and elements were added to, and where it was read: there it may be NULL in another order.
 * It stands where the source of the pointer is beyond doubt: a read in the same function, that nothing chose from several.
 *
 * Left out is what no other thread can reach (watched.h), and locals alone that no other function touches, so that of a place in memory all
 * accesses are recorded, or none. An access is not left out because another one came just before it: a second read may return another
 * value, and what it returned decides what a schedule must keep. */
#pragma once
#include "weave/weave.h"

void recording_weave(LLVMModuleRef module, const struct weave_hooks *hooks);
