/* What analyses of a recorded run found, taken into the report of `heddle predict`. */
#pragma once

struct maximal;
struct patterns;
struct predicted_report;
struct streaming;

/* Each appends all findings, in the order of the analysis. Names of properties are not copied. */
void taken_maximal(struct predicted_report *r, const struct maximal *m);
void taken_patterns(struct predicted_report *r, const struct patterns *p);
void taken_streaming(struct predicted_report *r, const struct streaming *s);
