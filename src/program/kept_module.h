/* What `heddle cc`, `heddle trace` and the passes that clang loads for them (src/weave) agree upon. */
#pragma once

/* The variable of the environment that names the file for the module's bitcode, as it is before all optimisations. */
#define KEPT_MODULE "HEDDLE_KEPT_MODULE"

/* If it is in the environment, modules are woven to be recorded; if it has that value, so that a witness can be carried out. */
#define WEAVE_RECORDING "HEDDLE_WEAVE_RECORDING"
#define WEAVE_ENFORCING "enforce"
/* Then, if it is there, too: names of functions whose calls are recorded, one a line. */
#define WEAVE_CALLS "HEDDLE_WEAVE_CALLS"
/* Then, if it is there, too: code of other compilers' is linked in, and may call any function that has a name. */
#define WEAVE_STRANGERS "HEDDLE_WEAVE_STRANGERS"

/* If it is in the environment, modules are woven to record which way their branches go, and this file gets the woven bitcode. */
#define WEAVE_PATHS "HEDDLE_WEAVE_PATHS"
/* Then, if it is there, too: how, a number of enum path_how (trace/path_format.h). */
#define WEAVE_PATHS_HOW "HEDDLE_WEAVE_PATHS_HOW"

/* An attribute of functions in the bitcode that a build for `heddle run` keeps: they shall not be watched, as no_sanitize("thread") says.
 * Nothing says so in bitcode that is made apart. */
#define KEPT_UNWATCHED "heddle-unwatched"

/* The section of woven files that has the places of code that may change memory in ways that nobody sees: FILE:LINE and a zero for each. */
#define WEAVE_UNSEEN "heddle_unseen"
