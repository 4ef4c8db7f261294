/* What code that is not recorded does stays in the order of the run, as nobody knows what of it depends on what:
 *
 *   lib_lock(&l); data = 1; lib_unlock(&l)      of two threads that do this, the one that was first comes first
 *
 * So whoever does something to an object reads, and changes, a variable of the recorder's that belongs to it. Objects are memory that
 * functions which are not recorded have changed (outside.h), and what code of modules that are not woven calls pthread functions for.
 * Few such variables have several objects: then more stays in order than has to.
 *
 * A module may keep things to itself, too. So all calls of its functions, and of the program's functions by it, have a variable, which they
 * read and then write: a witness that does not keep that order may be right all the same (EVENT_OUTSIDE, question.h of src/predict). */
#pragma once
#include "record/module.h"
#include "record/outside.h"
#include "record/record.h"

enum kept_how { KEPT_IF_BEFORE, /* only if it has one already */ KEPT_FROM_NOW_ON };
/* Orders those who do something to the aligned KEPT_BYTES that the address is in. */
enum { KEPT_BYTES = 16 };
void kept_happens(struct thread *t, uintptr_t address, enum kept_how how);
bool kept_has(uintptr_t address);
/* The memory has been given back: what is there next is something else. */
void kept_gone(uintptr_t address, size_t size);
void kept_before_fork(void);
void kept_after_fork(bool child);

/* Something goes into or comes out of the module of that number (module.h), or what the system keeps is used (system.h): who does not
 * change it is in no order with others who do not. */
enum { KEPT_SYSTEM = MODULE_LAST + 1, KEPT_SYSTEM_VARIABLES = 64 };
void kept_passes(struct thread *t, uint32_t variable, bool changes);

/* Does code call the pthread function, from `pc`, whose other doings are not recorded? It may have been linked into a module that is woven:
 * then the thread is within a call of it. */
HOT bool kept_calls(uintptr_t pc) { return !module_is_known(pc) || (UNLIKELY(hd_recorder.outside) && outside_is_at(pc)); }
/* If so, what it does to that object stays in order. */
HOT void kept_call(struct thread *t, const void *object, uintptr_t pc) {
  if (!t || enforcing || !kept_calls(pc)) return;
  kept_happens(t, (uintptr_t)object, KEPT_FROM_NOW_ON);
  record_decided_outside(t);
}
