/* Predictions that heddle run --confirm is to try (base/confirm.h): in the first run of a program they are written down with their reports,
 * instead of being shown. */
#pragma once
#include "base/confirm.h"
#include "report/finding.h"

/* NULL: nobody wants to try anything. */
extern struct confirm_file *plans;
/* Maps the file of that name. If that is impossible, a line says so. */
void plans_open(const char *file);

/* True in the first run. */
HOT bool plans_made(void) { return plans && !plans->tries; }
/* Keeps the finding, a prediction, with its report, in which `holes` are to be filled. False if there is no room for it: then it is to be
 * shown at once. One thread at a time. */
struct rt_text;
bool plan_keep(const struct finding *f, const struct finding_holes *holes, const struct rt_text *report);

/* The program reads that descriptor. */
HOT void plans_input(int fd) {
  if (UNLIKELY(fd == 0) && plans_made()) plans->input = 1;
}

/* The same, as far as the C library's stream says that it was read from by now, by whatever function. */
void plans_standard_input(void);

/* A number for the calls that lead to that node (context.h), the same in each run. One thread at a time, behind modules_renew(). */
uint64_t plan_stack(uint32_t node);
