#include "cli/native/enact_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/finding.h"
#include "trace/format.h"

/* Of enum event_op. */
static const uint8_t trace_ops[RECORDED_OPS] = {
#define X(name, number) [name] = (number),
    TRACE_OP_LIST(X)
#undef X
};

static uint32_t kind_of_ending(const struct enact_ending *ending) {
  if (ending->how == ENACT_UNSEEN) return ENFORCE_UNSEEN;
  return ending->how == ENACT_HANGS || ending->how == ENACT_TURNS ? ENFORCE_HANGING : ENFORCE_ENDING;
}

static bool kind_of(const struct witness_file *w, const struct enact_options *o, uint32_t *kind) {
  static const struct {
    enum finding_kind finding;
    enum enforce_kind kind;
  } kinds[] = {{FINDING_DATA_RACE, ENFORCE_RACE},
               {FINDING_DEADLOCK, ENFORCE_DEADLOCK},
               {FINDING_USE_AFTER_FREE, ENFORCE_USE_AFTER_FREE},
               {FINDING_ATOMICITY_VIOLATION, ENFORCE_ATOMICITY},
               {FINDING_NULL_DEREFERENCE, ENFORCE_NULL_POINTER},
               {FINDING_LOST_WAKEUP, ENFORCE_LOST_WAKEUP}};
  *kind = o->ending ? kind_of_ending(o->ending) : ENFORCE_ORDER;
  if (o->ending) return true;
  if (strcmp(witness_file_string(w, w->analysis), "property") == 0) return true;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(witness_file_string(w, w->kind), finding_kind_text(kinds[i].finding)) == 0) {
      *kind = kinds[i].kind;
      return true;
    }
  return false;
}

static const struct witness_step *step_at(const struct witness_file *w, size_t i) {
  return i < w->steps.count ? &w->steps.data[i] : &w->ends.data[i - w->steps.count];
}

static void fill_places(const struct witness_file *w, struct enforce_file *f) {
  for (size_t i = 0; i < w->sites.count; i++) {
    const struct witness_site *s = &w->sites.data[i];
    struct enforce_place *p = &enforce_places(f)[i];
    *p = (struct enforce_place){.line = s->line, .column = s->column};
    snprintf(p->file, sizeof p->file, "%s", file_last_part(witness_file_string(w, s->file)));
  }
}

static void fill(const struct witness_file *w, const struct enact_options *o, bool addresses, struct enforce_file *f, uint32_t kind) {
  size_t all = w->steps.count + w->ends.count;
  *f = (struct enforce_file){.version = ENFORCE_VERSION,
                             .kind = kind,
                             .threads = (uint32_t)w->threads.count,
                             .steps = (uint32_t)w->steps.count,
                             .ends = (uint32_t)w->ends.count,
                             .debugged = o->gdb != NULL,
                             .places = o->by_place ? (uint32_t)w->sites.count : 0,
                             .data_end = w->data_end};
  struct enforce_thread *threads = enforce_threads(f);
  uint32_t *own = enforce_own(f), first = 0;
  for (size_t i = 0; i < w->threads.count; i++) snprintf(threads[i].name, ENFORCE_NAME, "%s", witness_file_string(w, w->threads.data[i]));
  for (size_t i = 0; o->ending && i < w->threads.count; i++) {
    threads[i].goes_on = o->ending->goes_on[i];
    threads[i].hangs = o->ending->hangs[i];
  }
  for (size_t i = 0; i < all; i++) threads[step_at(w, i)->thread].count++;
  for (size_t i = 0; i < w->threads.count; i++) {
    threads[i].first = first;
    first += threads[i].count, threads[i].count = 0;
  }
  for (size_t i = 0; i < all; i++) {
    const struct witness_step *s = step_at(w, i);
    struct enforce_thread *t = &threads[s->thread];
    own[t->first + t->count++] = (uint32_t)i;
    enforce_steps(f)[i] = (struct enforce_step){.address = addresses ? s->address : 0,
                                                .thread = s->thread,
                                                .site = s->site,
                                                .skip = s->skip,
                                                .op = trace_ops[s->op],
                                                .flags = s->flags,
                                                .loose = o->loose && i < w->steps.count ? o->loose[i] : 0,
                                                .note = s->note};
  }
  if (o->by_place) fill_places(w, f);
}

enum err enact_file_new(const struct witness_file *w, const struct enact_options *o, bool addresses, struct text *path,
                        struct enforce_file **f, size_t *size, struct diag *d) {
  const char *tmp = getenv("TMPDIR");
  uint32_t kind;
  if (!kind_of(w, o, &kind))
    return diag_set(d, ERR_UNSUPPORTED, "nobody can see whether there is a finding of the kind %s", witness_file_string(w, w->kind));
  text_printf(path, "%s/heddle-witness-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  int fd = mkstemp(path->data);
  *size = enforce_size(w->threads.count, w->steps.count, w->ends.count, o->by_place ? w->sites.count : 0);
  void *at = fd >= 0 && ftruncate(fd, (off_t)*size) == 0 ? mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (at == MAP_FAILED) diag_set(d, ERR_FILE, "cannot make %s: %s", text_str(path), strerror(errno));
  if (fd >= 0) close(fd);
  if (at == MAP_FAILED) {
    if (fd >= 0) unlink(text_str(path));
    return ERR_FILE;
  }
  *f = at;
  fill(w, o, addresses, *f, kind);
  return ERR_NONE;
}
