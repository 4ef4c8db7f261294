#include "report/recorded_text.h"

#include <inttypes.h>
#include <time.h>

#include "report/recorded_place.h"
#include "trace/build.h"
#include "trace/check.h"
#include "trace/file_stream.h"
#include "trace/recorded.h"

/* Events that are listed, so that the text fits into memory. */
enum { LISTED = 1000000, AT_ONCE = 4096 };

static void put_header(const struct trace_file *f, struct text *out) {
  const char *program = trace_file_text(f, 0);
  time_t start = (time_t)(f->header.start / 1000000000);
  struct tm tm;
  char when[40] = "?";
  if (gmtime_r(&start, &tm)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
  text_printf(out, "trace of %s, process %" PRIu32 ", begun %s UTC\n", program ? program : "?", f->header.pid, when);
  text_puts(out, "arguments:");
  for (unsigned i = 2; trace_file_text(f, i); i++) text_printf(out, " %s", trace_file_text(f, i));
  text_putc(out, '\n');
  if (trace_build_is_other(f)) text_puts(out, "the program has been built again since: places may be others now\n");
  if (!f->ended) text_puts(out, "the program has not ended in order, or still runs\n");
  if (f->header.ring) text_printf(out, "the newest %" PRIu64 " bytes were kept\n", f->header.ring);
  if (f->dropped) text_printf(out, "%" PRIu64 " events could not be written\n", f->dropped);
  if (f->left_out)
    text_printf(out, "%" PRIu64 " accesses of memory that one thread alone touches, and branches behind them, were left out\n",
                f->left_out);
  if (f->torn) text_printf(out, "%" PRIu64 " bytes are damaged\n", f->torn);
  if (f->missing) text_printf(out, "%" PRIu64 " blocks of events are missing\n", f->missing);
  if (f->headless) text_printf(out, "of %" PRIu64 " threads the beginning is missing\n", f->headless);
}

static void put_faults(struct merge_faults n, struct text *out) {
  if (n.cut) text_printf(out, "of %" PRIu32 " threads the end is missing, or comes behind what is missing\n", n.cut);
  if (n.skipped) text_printf(out, "%" PRIu64 " events are left out, from before all threads are there\n", n.skipped);
  if (n.forced)
    text_printf(out, "%" PRIu64 " operations of synchronisation are missing: those behind them may be in another order\n", n.forced);
}

static void put_event(const struct event *e, const struct recorded_names *names, struct text *out) {
  struct place p = recorded_place(names, e->site);
  recorded_thread_text(names, e->thread, out);
  text_printf(out, ".%" PRIu32 " %s", e->index, recorded_op_text(e->op));
  if (e->op == EVENT_FORK || e->op == EVENT_JOIN)
    text_putc(out, ' '), recorded_thread_text(names, e->object, out);
  else if (e->op == RECORDED_CALL || e->op == RECORDED_RETURN)
    text_printf(out, " %s", e->object < names->methods.count ? recorded_text(names, names->methods.data[e->object]) : "?");
  else if (e->object)
    text_printf(out, " %#" PRIx64, e->object);
  if (e->size) text_printf(out, "+%" PRIu64, e->size);
  bool access = e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW;
  if ((access && !(e->flags & RECORDED_NO_VALUE)) || e->op == RECORDED_BRANCH || e->op == RECORDED_ARGUMENT || e->op == RECORDED_INITIAL)
    text_printf(out, " = %#" PRIx64, e->value);
  if (e->op == EVENT_RMW) text_printf(out, " -> %#" PRIx64, e->value2);
  if (event_outside(e)) text_puts(out, " (by a function that is not recorded)");
  if (e->flags & RECORDED_UNORDERED && e->op != EVENT_AWAIT) text_puts(out, " (no write explains it)");
  if (*p.file || *p.function)
    text_puts(out, "  "), place_text(&p, out);
  else if (p.line)
    text_printf(out, "  place %" PRIu32, p.line);
  text_putc(out, '\n');
}

enum err show_trace(const char *path, struct text *out, struct diag *d) {
  struct recorded_stream *s;
  static struct event events[AT_ONCE];
  uint64_t counts[RECORDED_OPS] = {0}, all = 0;
  struct text list = {0};
  enum err e = recorded_open(path, &s, d);
  if (e) return e;
  for (size_t n; (n = s->next(s, events, AT_ONCE)) > 0;)
    for (size_t i = 0; i < n; i++) {
      counts[events[i].op]++;
      if (all++ < LISTED) put_event(&events[i], s->names, &list);
    }
  e = s->e;
  if (!e && file_stream_file(s)) put_header(file_stream_file(s), out);
  if (!e) {
    text_printf(out, "%" PRIu64 " events of %zu threads:", all, s->names->threads.count);
    for (unsigned op = 0; op < RECORDED_OPS; op++)
      if (counts[op]) text_printf(out, " %" PRIu64 " %s,", counts[op], recorded_op_text(op));
    out->data[--out->count] = 0;
    text_putc(out, '\n');
    put_faults(file_stream_faults(s), out);
    if (s->unordered) text_printf(out, "%" PRIu64 " reads returned what no order of the writes explains\n", s->unordered);
    text_putc(out, '\n');
    text_append(out, text_str(&list), list.count);
    if (all > LISTED) text_printf(out, "(%" PRIu64 " more)\n", all - LISTED);
  }
  text_release(&list);
  recorded_close(s);
  return e;
}

enum err check_trace(const char *path, struct text *out, bool *broken, struct diag *d) {
  struct recorded_stream *s;
  struct check_result r;
  enum err e = recorded_open(path, &s, d);
  if (e) return e;
  e = check_run(s, &r);
  *broken = false;
  for (unsigned rule = 0; rule < CHECK_COUNT && !e; rule++) {
    if (!r.broken[rule]) continue;
    *broken = true;
    text_printf(out, "%s: %" PRIu64 " event%s, first\n  ", check_rule_text(rule), r.broken[rule], r.broken[rule] == 1 ? "" : "s");
    put_event(&r.first[rule], s->names, out);
  }
  if (!e && !*broken) text_printf(out, "%" PRIu64 " events keep all rules\n", r.events);
  if (!e && s->unordered) text_printf(out, "%" PRIu64 " reads returned what no order of the writes explains\n", s->unordered);
  if (!e) put_faults(file_stream_faults(s), out);
  recorded_close(s);
  return e;
}
