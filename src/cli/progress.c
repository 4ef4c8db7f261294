#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(struct progress *p) {
  const char *term = getenv("TERM");
  *p = (struct progress){.shown = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0), .start = now()};
  p->next = p->start + 0.3; /* nothing to see of what is done at once */
}

double progress_seconds(const struct progress *p) { return now() - p->start; }

static void count_text(double n, struct text *out) {
  if (n >= 1e6)
    text_printf(out, "%.1fM", n / 1e6);
  else if (n >= 1e4)
    text_printf(out, "%.0fk", n / 1e3);
  else
    text_printf(out, "%.0f", n);
}

/* How long the rest takes, from the share that is done. */
static void rest_text(double done, double spent, struct text *out) {
  if (done < 0 || done > 1) return;
  double rest = done > 0 ? spent * (1 - done) / done : 1e12;
  text_printf(out, ", %.0f%% done", done * 100);
  if (rest < 120)
    text_printf(out, ", about %.0f s left", rest);
  else if (rest < 7200)
    text_printf(out, ", about %.0f min left", rest / 60);
  else if (rest < 1e6)
    text_printf(out, ", about %.0f h left", rest / 3600);
  else
    text_puts(out, ", days left");
}

bool progress_is_due(struct progress *p) {
  if (!p->shown || now() < p->next) return false;
  p->next = now() + 0.1;
  return true;
}

void progress_draw(struct progress *p, const char *line) {
  fprintf(stderr, "\r\033[K%s", line);
  fflush(stderr);
  p->drawn = true;
}

void progress_update(struct progress *p, const struct progress_state *state) {
  if (!progress_is_due(p)) return;
  struct text line = {0};
  count_text((double)state->executions, &line);
  text_puts(&line, " executions, ");
  if (state->given_up) {
    count_text((double)state->given_up, &line);
    text_puts(&line, " given up, ");
  }
  count_text(state->per_second, &line);
  text_printf(&line, "/s, %u steps deep", state->depth);
  if (state->findings) text_printf(&line, ", %" PRIu64 " finding%s", state->findings, state->findings == 1 ? "" : "s");
  rest_text(state->done, progress_seconds(p), &line);
  progress_draw(p, text_str(&line));
  text_release(&line);
}

void progress_end(struct progress *p) {
  if (p->drawn) fputs("\r\033[K", stderr);
  p->drawn = false;
}
