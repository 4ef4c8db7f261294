/* Questions about the report that is being made, as debuggers and the program's __tsan_on_report() ask them of ThreadSanitizer. */
#pragma once
#include "report/finding.h"

/* The program hears of the finding that was just shown, if it wants to. */
void ask_report(const struct finding *f);
/* Calls f in the calling thread so that it may ask for names: within that function of the program, too. */
void ask_names(void (*f)(void *), void *data);
/* The calls that led to a place, the innermost first, as return addresses. Returns how many there are, at most n. */
unsigned ask_stack(uint32_t site, void **at, size_t n);
