/* Findings of an analysis that supplement those of others. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct predicted_report;
struct recorded_names;

/* Of the findings from `first` on, keeps those that are proven, or conditional, and of whose kind there is none at the same places before
 * them. One that is undecided before them gives way to what proves it. Returns how many were kept. */
size_t supplement_apply(struct predicted_report *r, size_t first, const struct recorded_names *names);
