/* Findings for tools: one object a line. The keys are an interface: heddle-run(1) lists them. Those that `heddle check --json` has, too,
 * mean the same. */
#include <unistd.h>

#include "report/location.h"
#include "report/report.h"
#include "report/stack.h"
#include "report/suppression.h"
#include "report/wording.h"
#include "sync.h"

enum { THREADS_SHOWN = 64 };

/* Bytes of the UTF-8 character there; 0 if it is none. */
static unsigned utf8_length(const unsigned char *p) {
  if (p[0] < 0x80) return 1;
  unsigned n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  if (p[0] < 0xc2 || p[0] > 0xf4) return 0;
  for (unsigned i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  bool surrogate = p[0] == 0xed && p[1] >= 0xa0, beyond = p[0] == 0xf4 && p[1] >= 0x90;
  return overlong || surrogate || beyond ? 0 : n;
}

static void string(struct rt_text *out, const char *s) {
  rt_printf(out, "\"");
  for (const unsigned char *p = (const unsigned char *)s; *p;) {
    unsigned n = utf8_length(p);
    if (n == 0)
      rt_printf(out, "\\ufffd"), n = 1;
    else if (*p == '"' || *p == '\\')
      rt_printf(out, "\\%c", *p);
    else if (*p < 0x20 || *p == 0x7f)
      rt_printf(out, "\\u%04x", *p);
    else
      rt_printf(out, "%.*s", (int)n, (const char *)p);
    p += n;
  }
  rt_printf(out, "\"");
}

/* What was appended since then, as a string. */
static void quote(struct rt_text *out, size_t since) {
  static struct rt_text words;
  words.count = 0;
  rt_printf(&words, "%.*s", (int)(out->count - since), out->data + since);
  out->count = since;
  string(out, words.data ? words.data : "");
}

static void key(struct rt_text *out, const char *name) { rt_printf(out, "\"%s\": ", name); }

static void string_or_null(struct rt_text *out, const char *name, const char *value) {
  key(out, name);
  if (value)
    string(out, value);
  else
    rt_printf(out, "null");
}

static void address_json(struct rt_text *out, const char *name, uintptr_t address) {
  rt_printf(out, "\"%s\": \"0x%lx\"", name, (unsigned long)address);
}

static void thread_number(struct rt_text *out, const char *name, const struct thread_info *i) {
  key(out, name);
  if (i)
    rt_printf(out, "\"%u\"", i->number);
  else
    rt_printf(out, "null");
}

struct frames {
  struct rt_text *out;
  unsigned count;
};

static void place_json(struct rt_text *out, const struct frame_name *n) {
  string_or_null(out, "file", n->file);
  rt_printf(out, ", \"line\": %d, \"column\": %d, ", n->file ? n->line : 0, n->file ? n->column : 0);
  string_or_null(out, "function", n->function);
}

static bool frame_json(const struct frame_name *n, void *data) {
  struct frames *f = data;
  rt_printf(f->out, f->count++ ? ", {" : "{");
  place_json(f->out, n);
  rt_printf(f->out, ", ");
  string_or_null(f->out, "module", n->module);
  rt_printf(f->out, ", ");
  address_json(f->out, "offset", n->offset);
  rt_printf(f->out, ", ");
  string_or_null(f->out, "build_id", n->build_id);
  rt_printf(f->out, "}");
  return true;
}

static void stack_json(struct rt_text *out, const char *name, uint32_t site) {
  struct frames f = {.out = out};
  key(out, name);
  rt_printf(out, "[");
  stack_each(site, frame_json, &f);
  rt_printf(out, "]");
}

static void lock_json(struct rt_text *out, struct lock_numbers *numbers, const struct finding_lock *l) {
  rt_printf(out, "{");
  key(out, "lock");
  size_t start = out->count;
  lock_number(out, numbers, l);
  quote(out, start);
  rt_printf(out, ", \"kind\": \"%s\", \"shared\": %s, ", sync_kind_name(l->kind), l->shared ? "true" : "false");
  if (l->address)
    address_json(out, "address", l->address);
  else
    string_or_null(out, "address", NULL);
  rt_printf(out, ", ");
  key(out, "variable");
  start = out->count;
  if (lock_variable(out, l))
    quote(out, start);
  else
    rt_printf(out, "null");
  rt_printf(out, ", ");
  stack_json(out, "stack", l->site);
  rt_printf(out, ", \"initialised\": %s, ", l->made && context_at(l->made)->kind == SITE_ALLOC ? "true" : "false");
  stack_json(out, "created", l->made);
  rt_printf(out, "}");
}

static void locks_json(struct rt_text *out, struct lock_numbers *numbers, const struct finding_locks *held) {
  if (held->known == LOCKS_NOT_ASKED) return;
  rt_printf(out, ", \"locks\": [");
  for (unsigned i = 0; i < held->count; i++) {
    if (i) rt_printf(out, ", ");
    lock_json(out, numbers, &held->at[i]);
  }
  rt_printf(out, "], \"locks_complete\": %s", held->known == LOCKS_ALL ? "true" : "false");
}

static bool top_json(const struct frame_name *n, void *data) {
  struct frames *f = data;
  if (n->runtime) return true;
  f->count++;
  place_json(f->out, n);
  return false;
}

static void one_of_json(uint32_t site, void *data) {
  struct frames *all = data;
  rt_printf(all->out, all->count++ ? ", {" : "{");
  stack_json(all->out, "stack", site);
  rt_printf(all->out, "}");
}

static void part_json(struct rt_text *out, struct lock_numbers *numbers, const struct finding_part *p) {
  struct frames f = {.out = out};
  rt_printf(out, "{");
  thread_number(out, "thread", p->thread);
  rt_printf(out, ", ");
  stack_each(p->site, top_json, &f);
  if (f.count == 0) place_json(out, &(struct frame_name){0});
  rt_printf(out, ", ");
  string_or_null(out, "access", p->what);
  rt_printf(out, ", \"previous\": %s", p->previous ? "true" : "false");
  if (p->address) rt_printf(out, ", "), address_json(out, "address", p->address);
  if (p->size) rt_printf(out, ", \"size\": %u", p->size);
  if (p->wanted) {
    rt_printf(out, ", \"wanted\": ");
    lock_json(out, numbers, p->wanted);
  }
  locks_json(out, numbers, &p->held);
  rt_printf(out, ", ");
  stack_json(out, "stack", p->site);
  if (context_at(p->site)->kind == SITE_AMONG) {
    rt_printf(out, ", \"one_of\": [");
    stack_among(p->site, one_of_json, &(struct frames){.out = out});
    rt_printf(out, "]");
  }
  rt_printf(out, "}");
}

static void location_json(struct rt_text *out, uintptr_t address, const struct origin *origin) {
  struct location l = location_of(address, origin);
  key(out, "location");
  if (l.kind == LOCATION_UNKNOWN) {
    rt_printf(out, "null");
    return;
  }
  if (l.kind == LOCATION_DESCRIPTOR) {
    rt_printf(out, "{\"kind\": \"descriptor\", \"number\": %d, ", l.descriptor);
    thread_number(out, "thread", l.thread);
    if (l.site) rt_printf(out, ", "), stack_json(out, "stack", l.site);
    rt_printf(out, "}");
    return;
  }
  if (l.thread && l.kind != LOCATION_HEAP) {
    rt_printf(out, "{\"kind\": \"%s\", ", l.kind == LOCATION_STACK ? "stack" : "thread-local");
    thread_number(out, "thread", l.thread);
    rt_printf(out, "}");
    return;
  }
  rt_printf(out, "{\"kind\": \"%s\", ", l.kind == LOCATION_HEAP ? "heap" : "global");
  address_json(out, "address", l.start);
  rt_printf(out, ", \"offset\": %lu, \"size\": %lu, ", (unsigned long)(address - l.start), (unsigned long)l.size);
  if (l.kind == LOCATION_HEAP) {
    thread_number(out, "thread", l.thread);
    rt_printf(out, ", ");
    stack_json(out, "stack", l.site);
  } else {
    string_or_null(out, "variable", l.name);
    rt_printf(out, ", ");
    string_or_null(out, "module", l.module);
  }
  rt_printf(out, "}");
}

static void thread_json(struct rt_text *out, const struct thread_info *i) {
  rt_printf(out, "{");
  thread_number(out, "thread", i);
  rt_printf(out, ", ");
  string_or_null(out, "name", i->name[0] ? i->name : NULL);
  rt_printf(out, ", \"tid\": %d, \"finished\": %s, ", i->id, i->over ? "true" : "false");
  thread_number(out, "creator", thread_by_number(i->creator));
  rt_printf(out, ", ");
  stack_json(out, "stack", i->site);
  rt_printf(out, "}");
}

/* "data race: write by thread T1, previous read by main thread" */
static void message_json(struct rt_text *out, const struct finding *f) {
  key(out, "message");
  size_t start = out->count;
  rt_printf(out, "%s", finding_title(f->kind));
  for (unsigned i = 0; i < f->count; i++) {
    rt_printf(out, "%s %s%s by ", i ? "," : ":", f->parts[i].previous ? "previous " : "", f->parts[i].what);
    thread_words(out, f->parts[i].thread);
  }
  quote(out, start);
}

static void notes_json(struct rt_text *out, struct lock_numbers *numbers, const struct finding_piece *notes) {
  key(out, "notes");
  rt_printf(out, "[");
  for (bool first = true;; first = false) {
    if (!first) rt_printf(out, ", ");
    size_t start = out->count;
    if (!note_words(out, numbers, &notes)) {
      if (!first) out->count -= 2;
      break;
    }
    quote(out, start);
  }
  rt_printf(out, "]");
}

void report_as_json(struct rt_text *out, const struct finding *f) {
  struct lock_numbers numbers = {.count = 0};
  const struct thread_info *threads[THREADS_SHOWN];
  rt_printf(out, "{");
  string_or_null(out, "kind", finding_json_kind(f->kind));
  rt_printf(out, ", ");
  message_json(out, f);
  rt_printf(out, ", \"pid\": %d, \"sites\": [", (int)getpid());
  for (unsigned i = 0; i < f->count; i++) {
    if (i) rt_printf(out, ", ");
    part_json(out, &numbers, &f->parts[i]);
  }
  rt_printf(out, "], ");
  notes_json(out, &numbers, f->notes);
  rt_printf(out, ", ");
  location_json(out, f->location, f->origin);
  if (f->sleep) rt_printf(out, ", "), stack_json(out, "sleep", f->sleep);
  rt_printf(out, ", \"threads\": [");
  for (unsigned i = 0, n = finding_threads(f, threads, THREADS_SHOWN); i < n; i++) {
    if (i) rt_printf(out, ", ");
    thread_json(out, threads[i]);
  }
  rt_printf(out, "], \"confirmed\": ");
  if (f->holes) /* what is to be said of it */
    f->holes->at[0] = f->holes->at[1] = f->holes->at[2] = out->count;
  else
    rt_printf(out, f->predicted ? "false" : "true");
  rt_printf(out, "}\n");
}

static void suppression_json(const struct suppression *s, void *data) {
  struct frames *f = data;
  if (!s->count) return;
  rt_printf(f->out, f->count++ ? ", {" : "{");
  key(f->out, "suppression");
  size_t start = f->out->count;
  rt_printf(f->out, "%s:%s", s->type, s->pattern);
  quote(f->out, start);
  rt_printf(f->out, ", ");
  string_or_null(f->out, "file", s->file);
  rt_printf(f->out, ", \"line\": %u, \"count\": %u}", s->line, s->count);
}

void summary_as_json(struct rt_text *out, const struct report_summary *s) {
  struct frames f = {.out = out};
  rt_printf(out, "{\"kind\": \"summary\", \"pid\": %d, \"findings\": %u, \"kinds\": {", (int)getpid(), s->count);
  for (unsigned i = 0, n = 0; i < FINDING_KIND_COUNT; i++)
    if (s->by_kind[i]) rt_printf(out, "%s\"%s\": %u", n++ ? ", " : "", finding_json_kind(i), s->by_kind[i]);
  rt_printf(out, "}, \"repeated\": %llu, \"left_out\": %u, \"dropped\": %llu, \"complete\": %s, \"suppressed\": %u, \"suppressions\": [",
            (unsigned long long)s->again, s->left_out, (unsigned long long)s->dropped, order_lost || s->dropped ? "false" : "true",
            s->suppressed);
  suppressions_each(suppression_json, &f);
  rt_printf(out, "]}\n");
}
