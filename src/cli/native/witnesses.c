#include "cli/native/witnesses.h"

#include <stdio.h>
#include <string.h>

#include "base/deadline.h"
#include "cli/console.h"
#include "cli/native/enact.h"
#include "predict/recorded/steps.h"
#include "trace/file_stream.h"

/* The program and its arguments, as the trace says them. */
struct head {
  struct text program, build;
  VEC(struct text) arguments;
};

static void head_release(struct head *h) {
  for (size_t i = 0; i < h->arguments.count; i++) text_release(&h->arguments.data[i]);
  vec_release(&h->arguments);
  text_release(&h->program), text_release(&h->build);
}

static void read_head(struct head *h, const struct trace_file *f) {
  enum { FIRST = 2 };
  text_puts(&h->program, trace_file_text(f, 0) ? trace_file_text(f, 0) : "");
  text_puts(&h->build, trace_file_text(f, 1) ? trace_file_text(f, 1) : "");
  for (unsigned i = FIRST; trace_file_text(f, i); i++) {
    struct text *word = vec_push(&h->arguments);
    *word = (struct text){0};
    text_puts(word, trace_file_text(f, i));
  }
}

/* Why there can be no witness of any finding; NULL if there can. */
static const char *cannot(const struct recorded_stream *s) {
  const struct trace_file *f = file_stream_file(s);
  if (!f) return "no program was recorded";
  if (f->header.flags & TRACE_FORKED) return "it is a child process's run, which cannot be begun by itself";
  if (f->header.ring || f->headless) return "the recording's beginning is not there";
  return NULL;
}

static void copy_steps(const struct predicted_event *from, uint32_t n, struct recorded_step *to) {
  for (uint32_t i = 0; i < n; i++)
    to[i] = (struct recorded_step){.thread = from[i].thread,
                                   .index = from[i].index,
                                   .site = from[i].site,
                                   .op = from[i].op,
                                   .flags = from[i].flags,
                                   .object = from[i].object};
}

static void path_of(const struct predicted *f, const struct options *o, size_t number, struct text *path) {
  if (o->witness_dir) text_printf(path, "%s/", o->witness_dir);
  text_printf(path, "heddle-%.*s-%zu.witness", (int)f->kind_length, f->kind, number);
}

static void put_head(struct witness_file *w, const struct predicted *f, const struct head *h) {
  bool property = f->finding == FINDING_PROPERTY;
  const char *analysis = property ? "property" : f->analysis;
  w->kind = witness_file_add(w, f->kind, f->kind_length);
  w->analysis = witness_file_add(w, analysis, strlen(analysis));
  w->program = witness_file_add(w, h->program.data, h->program.count);
  w->build = witness_file_add(w, h->build.data, h->build.count);
  for (size_t i = 0; i < h->arguments.count; i++)
    *vec_push(&w->arguments) = witness_file_add(w, h->arguments.data[i].data, h->arguments.data[i].count);
}

static enum err confirm(struct predicted *f, const struct witness_file *w, const struct options *o, struct diag *d) {
  struct enacted seen = {0};
  enum err e = enact(w, &(struct enact_options){.limit = o->limit, .quiet = true}, &seen, d);
  f->shown = seen.confirmed ? PREDICTED_CONFIRMED : PREDICTED_UNCONFIRMED;
  if (seen.confirmed && f->conditional) f->status = PREDICTED_PROVEN, f->why = NULL, f->conditional = false;
  if (!e) text_puts(&f->how, text_str(&seen.what));
  enacted_release(&seen);
  return e;
}

static enum err take(struct predicted *f, size_t number, struct witness_file *w, const struct head *h, const struct options *o,
                     struct diag *d) {
  put_head(w, f, h);
  if (!o->no_witness) {
    path_of(f, o, number, &f->file);
    enum err e = witness_file_write(w, text_str(&f->file), d);
    if (e) return e;
  }
  return o->confirm_predicted && !deadline_passed ? confirm(f, w, o, d) : ERR_NONE;
}

static bool is_wanted(const struct predicted *f) { return f->has_witness && (f->status == PREDICTED_PROVEN || f->conditional); }

enum err witnesses_make(struct predicted_report *r, const struct options *o, const struct recorded_stream *stream,
                        struct recorded_stream *(*open)(void *data), void *data, struct diag *d) {
  struct steps *steps = steps_new(file_stream_file(stream) && (file_stream_file(stream)->header.flags & TRACE_THIN));
  struct head head = {0};
  const char *why = cannot(stream);
  struct recorded_step *copies = mem_alloc((r->events.count + 1) * sizeof *copies);
  uint32_t n = 0, number = 0;
  enum err e = ERR_NONE;
  copy_steps(r->events.data, (uint32_t)r->events.count, copies);
  for (size_t i = 0; i < r->findings.count && (!o->no_witness || o->confirm_predicted); i++) {
    struct predicted *f = &r->findings.data[i];
    if (!is_wanted(f)) continue;
    if (why && o->confirm_predicted) text_puts(&f->how, why);
    if (!why) steps_add(steps, f->finding, copies + f->event, f->events, f->from, copies + f->step, f->steps), n++;
  }
  if (n) {
    read_head(&head, file_stream_file(stream));
    e = steps_run(steps, open, data);
  }
  for (size_t i = 0; i < r->findings.count && n && !e; i++) {
    struct predicted *f = &r->findings.data[i];
    if (!is_wanted(f)) continue;
    const char *lacks;
    struct witness_file *w = steps_witness(steps, number++, &lacks);
    if (w)
      e = take(f, i + 1, w, &head, o, d);
    else
      text_puts(&f->how, lacks);
  }
  steps_free(steps);
  head_release(&head);
  mem_free(copies, (r->events.count + 1) * sizeof *copies);
  return e;
}
