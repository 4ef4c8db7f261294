#include "predict/recorded/allowance.h"

/* In budgets of a question: what a run may cost before its windows get less, a window before its questions get least. */
#define RUN_BUDGETS    16u
#define WINDOW_BUDGETS 4u
/* A question gets one of so many parts of what is left for the window, and a window of what is left for the run. */
#define PARTS 4u
/* Of its budget, a question gets one of so many parts at least; where nothing is left; a window of what one may cost. */
#define LITTLE 100u
#define LEAST  1000u
#define WINDOW 32u

static uint64_t less(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t more(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Beyond it, nothing is ever spent. */
static uint64_t times(uint64_t budget, uint64_t n) { return budget > UINT64_MAX / n ? UINT64_MAX : budget * n; }

void allowance_begin(struct allowance *a, uint64_t budget) { *a = (struct allowance){.budget = budget, .run = times(budget, RUN_BUDGETS)}; }

void allowance_window(struct allowance *a) {
  uint64_t most = times(a->budget, WINDOW_BUDGETS);
  a->window = less(most, more(a->run / PARTS, most / WINDOW));
}

uint64_t allowance_question(const struct allowance *a, bool again) {
  uint64_t little = more(a->budget / LITTLE, 1), least = more(a->budget / LEAST, 1);
  if (a->window == 0) return least;
  return again ? little : less(a->budget, more(a->window / PARTS, little));
}

void allowance_spend(struct allowance *a, uint64_t effort) { a->window -= less(effort, a->window); }
void allowance_settle(struct allowance *a, uint64_t effort) { a->run -= less(effort, a->run); }
