/* What a recorded run was given that its log has not: who looks for such an execution should know of it. */
#pragma once
struct options;
struct path_log;
struct report;

/* Adds notes to the report, each with the option that says what is missing, unless the user has given it. */
void unkept_report(const struct path_log *log, const struct options *o, struct report *r);
