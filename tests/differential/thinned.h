/* A recorded run without what src/trace/thin.h leaves out of its file. */
#pragma once
#include "trace/recorded.h"

/* Leaves out of `r`; what stays keeps its index. How many events were left out; UINT64_MAX: it was not done right. */
uint64_t thinned(struct recorded *r);
