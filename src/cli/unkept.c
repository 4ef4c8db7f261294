#include "cli/unkept.h"

#include <string.h>

#include "cli/options.h"
#include "report/remarks.h"
#include "report/report.h"
#include "trace/path_log.h"

static const char *const reasons[PATH_KEPT_COUNT] = {
    [PATH_KEPT_LARGE] = "it is too large (kept are 16 MB of each file, and 64 MB of all)",
    [PATH_KEPT_ROOM] = "there was no room for it, or it could not be read",
    [PATH_KEPT_STREAM] = "it is a device, a socket or the like, and of that nothing is kept",
};
_Static_assert(PATH_KEPT_MOST == 16u << 20 && PATH_KEPT_MOST_ALL == 64u << 20, "the text has these numbers");

static bool is_said(const struct options *o, const char *name) {
  for (size_t i = 0; i < o->readable.count; i++)
    if (strcmp(o->readable.data[i], name) == 0) return true;
  return false;
}

[[gnu::format(printf, 2, 3)]] static void note(struct report *r, const char *format, ...) {
  struct text t = {0};
  va_list list;
  va_start(list, format);
  text_vprintf(&t, format, list);
  va_end(list);
  *vec_push(&r->notes) = t;
}

/* Did an execution read standard input, and find nothing? */
static bool reads_input(struct report *r) {
  struct remark_places places = {0};
  remark_places_find(r->m, REMARK_INPUT_END, &places);
  bool reads = places.at.count > 0;
  remark_places_release(&places);
  return reads;
}

void unkept_report(const struct path_log *log, const struct options *o, struct report *r) {
  for (size_t i = 0; i < log->given.count; i++) {
    const struct path_given *g = &log->given.data[i];
    if (g->kind == PIECE_FILE && reasons[g->kept] && !is_said(o, g->name))
      note(r, "%s, which the run opened, is not in its log: %s; --file=%s says what it had", g->name, reasons[g->kept], g->name);
  }
  if (log->header.unkept)
    note(r, "the log lacks some files that the run opened, with their names: there were too many, or there was no room");
  if (reasons[log->header.input] && !o->input && r->m && reads_input(r))
    note(r, "the run's standard input is not in its log: %s; --input says what it had", reasons[log->header.input]);
}
