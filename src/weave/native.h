/* What `heddle cc -fheddle=run` has clang do to each module when it has been optimised: the hooks of runtime/ are woven in, and the quick
 * part of each check (runtime/inline.c) is put in place of its call. */
#pragma once
#include <llvm-c/Types.h>
#include <stdbool.h>

#include "trace/path_format.h"

struct weave_analyses;

/* Modules are woven to be recorded (recording.h) instead; or `enforcing`, so that the same events wait for their turns (runtime/enforce):
 * WEAVE_RECORDING (program/kept_module.h). `strangers`: WEAVE_STRANGERS. */
void native_weave_recording(LLVMModuleRef module, bool enforcing, bool strangers);
/* And before all optimisations: calls of these functions, one a line, or NULL, are recorded (program/named_calls.h). */
void native_weave_calls(LLVMModuleRef module, const char *names);

/* Or to record which way its branches go (paths.h). `bitcode`: the file that gets the woven module, as the machine runs it. Returns NULL,
 * or why it cannot be done. */
const char *native_weave_paths(LLVMModuleRef module, const char *bitcode, enum path_how how);

/* `checks` is the path of inline.c as bitcode. Returns NULL, or why it cannot be done. */
const char *native_weave(LLVMModuleRef module, struct weave_analyses *analyses, const char *checks);
