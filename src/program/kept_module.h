/* What `heddle cc` and the pass that clang loads for it (src/weave) agree upon. */
#pragma once

/* The variable of the environment that names the file for the module's bitcode, as it is before all optimisations. */
#define KEPT_MODULE "HEDDLE_KEPT_MODULE"
