/* A trace file as a stream: its threads merged (merge.h), and the order made to fit what was read (repair.h). */
#include "trace/file_stream.h"

#include "trace/repair.h"

struct file_stream {
  struct recorded_stream s;
  struct trace_file f;
  struct merge *merge;
  struct repair *repair;
};

static size_t file_next(struct recorded_stream *s, struct event *out, size_t most) {
  struct file_stream *t = (struct file_stream *)s;
  size_t n = repair_next(t->repair, out, most);
  for (size_t i = 0; i < n; i++) s->unordered += (out[i].flags & RECORDED_UNORDERED) && !event_outside(&out[i]);
  if (n == 0) {
    struct merge_faults faults = merge_faults(t->merge);
    s->missing = t->f.missing + t->f.headless + faults.cut + (faults.forced > 0) + (t->f.dropped > 0) + (t->f.torn > 0) +
                 (!t->f.ended && t->f.live.count == 0);
  }
  return n;
}

static void file_close(struct recorded_stream *s) {
  struct file_stream *t = (struct file_stream *)s;
  repair_free(t->repair);
  merge_free(t->merge);
  trace_file_release(&t->f);
  mem_free(t, sizeof *t);
}

enum err file_stream_open(const char *path, int fd, uint64_t size, struct recorded_stream **s, struct diag *d) {
  struct file_stream *t = mem_alloc(sizeof *t);
  enum err e = trace_file_open(&t->f, path, fd, size, d);
  if (e) {
    mem_free(t, sizeof *t);
    return e;
  }
  t->merge = merge_new(&t->f);
  t->repair = repair_new(t->merge);
  t->s = (struct recorded_stream){.next = file_next, .names = &t->f.names, .close = file_close, .d = d};
  *s = &t->s;
  return ERR_NONE;
}

const struct trace_file *file_stream_file(const struct recorded_stream *s) {
  return s->close == file_close ? &((const struct file_stream *)s)->f : NULL;
}

struct merge_faults file_stream_faults(const struct recorded_stream *s) {
  return s->close == file_close ? merge_faults(((const struct file_stream *)s)->merge) : (struct merge_faults){0};
}
