/* Findings as people who know ThreadSanitizer's expect them. */
#include <unistd.h>

#include "report/location.h"
#include "report/module.h"
#include "report/report.h"
#include "report/stack.h"
#include "report/suppression.h"
#include "report/wording.h"
#include "sync.h"

enum { THREADS_SHOWN = 64 };

struct writing {
  struct rt_text *out;
  struct lock_numbers locks;
  unsigned frames; /* of the present stack */
};

/* "queue.c:12:7"; the file alone if a compiler has made one instruction of several lines' */
static void print_line(struct rt_text *out, const struct frame_name *n) {
  bool known = n->file && n->line;
  rt_printf(out, "%s", n->file ? n->file : "<unknown>");
  if (known || !n->file) rt_printf(out, ":%d", known ? n->line : 0);
  if (known && n->column) rt_printf(out, ":%d", n->column);
}

static bool print_frame(const struct frame_name *n, void *data) {
  struct writing *w = data;
  rt_printf(w->out, "    #%u %s ", w->frames++, n->function ? n->function : "<unknown>");
  if (n->file && n->somewhere)
    rt_printf(w->out, "%s, in one of several places", n->file);
  else if (n->file)
    print_line(w->out, n);
  else
    rt_printf(w->out, "<no line>");
  if (n->module && n->somewhere)
    rt_printf(w->out, " (%s)", base_name(n->module));
  else if (n->module)
    rt_printf(w->out, " (%s+0x%lx)", base_name(n->module), (unsigned long)n->offset);
  if (!n->file && !n->runtime && n->build_id) rt_printf(w->out, " (BuildId: %s)", n->build_id); /* for who looks for the lines elsewhere */
  rt_printf(w->out, "\n");
  return true;
}

static void print_one_of(uint32_t site, void *data) {
  struct writing *w = data;
  if (w->frames) rt_printf(w->out, "    [or:]\n");
  w->frames = 0;
  stack_each(site, print_frame, w);
}

static void print_stack(struct writing *w, uint32_t site) {
  w->frames = 0;
  stack_each(site, print_frame, w);
  if (context_at(site)->kind == SITE_AMONG) {
    rt_printf(w->out, "    [one of these, and it is not known any more which:]\n");
    stack_among(site, print_one_of, w);
  }
  if (w->frames == 0) rt_printf(w->out, "    [the stack is not known]\n");
  rt_printf(w->out, "\n");
}

void stack_as_text(struct rt_text *out, uint32_t site) { print_stack(&(struct writing){.out = out}, site); }

static void print_held(struct writing *w, const struct finding_locks *held) {
  if (held->known == LOCKS_NOT_ASKED) return;
  if (held->count == 0) {
    rt_printf(w->out, held->known == LOCKS_ALL ? ", holding no lock" : ", whose locks are not known any more");
    return;
  }
  rt_printf(w->out, ", holding ");
  for (unsigned i = 0; i < held->count; i++) {
    if (i) rt_printf(w->out, ", ");
    lock_words(w->out, &w->locks, &held->at[i]);
    if (held->at[i].shared) rt_printf(w->out, " (shared)");
  }
  if (held->known == LOCKS_SOME) rt_printf(w->out, ", perhaps others");
}

static void print_part(struct writing *w, const struct finding_part *p) {
  char first = p->previous ? 'P' : (char)(p->what[0] - ('a' <= p->what[0] && p->what[0] <= 'z' ? 'a' - 'A' : 0));
  rt_printf(w->out, "  %c%s%s", first, p->previous ? "revious " : "", p->previous ? p->what : p->what + 1);
  if (p->size) rt_printf(w->out, " of size %u", p->size);
  if (p->address && descriptor_of(p->address) < 0) rt_printf(w->out, " at 0x%012lx", (unsigned long)p->address);
  if (p->wanted) {
    rt_printf(w->out, " ");
    lock_words(w->out, &w->locks, p->wanted);
    if (p->wanted->shared) rt_printf(w->out, " (shared)");
  }
  rt_printf(w->out, " by ");
  thread_words(w->out, p->thread);
  print_held(w, &p->held);
  rt_printf(w->out, ":\n");
  print_stack(w, p->site);
}

/* True if a stack of the report is that taking's. */
static bool is_shown(const struct finding *f, uint32_t taking) {
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; k < f->parts[i].held.count; k++)
      if (f->parts[i].held.at[k].site == taking) return true;
  return false;
}

/* Where locks were made, each once. */
static void print_made_lock(struct writing *w, const struct finding *f, const struct finding_lock *l, struct lock_numbers *shown) {
  unsigned i = 0;
  while (i < shown->count && shown->address[i] != l->address) i++;
  if (i < shown->count || i == LOCKS_NUMBERED || !l->address || !l->made) return;
  bool initialised = context_at(l->made)->kind == SITE_ALLOC;
  shown->address[shown->count++] = l->address;
  if (!initialised && is_shown(f, l->made)) return;
  rt_printf(w->out, "  Lock ");
  lock_words(w->out, &w->locks, l);
  rt_printf(w->out, " (%s at 0x%012lx) %s at:\n", sync_kind_name(l->kind), (unsigned long)l->address,
            initialised ? "created" : "first taken");
  print_stack(w, l->made);
}

static void print_made_locks(struct writing *w, const struct finding *f) {
  struct lock_numbers shown = {.count = 0};
  for (unsigned i = 0; i < f->count; i++) {
    for (unsigned k = 0; k < f->parts[i].held.count; k++) print_made_lock(w, f, &f->parts[i].held.at[k], &shown);
    if (f->parts[i].wanted) print_made_lock(w, f, f->parts[i].wanted, &shown);
  }
}

static void print_lock(struct writing *w, const struct finding_lock *l, const struct thread_info *by) {
  if (!l->address && !l->site) return;
  rt_printf(w->out, "  Lock ");
  lock_words(w->out, &w->locks, l);
  if (l->address) rt_printf(w->out, " (%s at 0x%012lx)", sync_kind_name(l->kind), (unsigned long)l->address);
  rt_printf(w->out, " taken by ");
  thread_words(w->out, by);
  rt_printf(w->out, " at:\n");
  print_stack(w, l->site);
}

static void print_locks(struct writing *w, const struct finding_part *p) {
  for (unsigned i = 0; i < p->held.count; i++) print_lock(w, &p->held.at[i], p->thread);
}

/* "by thread T1 at:" and the stack */
static void print_made(struct writing *w, const struct location *l) {
  if (l->thread) rt_printf(w->out, " by "), thread_words(w->out, l->thread);
  rt_printf(w->out, " at:\n");
  print_stack(w, l->site);
}

static void print_location(struct writing *w, uintptr_t address, const struct origin *origin) {
  struct location l = location_of(address, origin);
  if (l.kind == LOCATION_DESCRIPTOR) {
    rt_printf(w->out, "  Location is descriptor %d%s", l.descriptor, l.site ? ", opened" : "\n\n");
    if (l.site) print_made(w, &l);
  } else if (l.kind == LOCATION_HEAP) {
    rt_printf(w->out, "  Location is a heap block of size %lu at 0x%012lx, %lu bytes from its begin, allocated", (unsigned long)l.size,
              (unsigned long)l.start, (unsigned long)(address - l.start));
    print_made(w, &l);
  } else if (l.kind == LOCATION_GLOBAL) {
    rt_printf(w->out, "  Location is global '%s'", l.name);
    if (l.size) rt_printf(w->out, " of size %lu", (unsigned long)l.size);
    rt_printf(w->out, " at 0x%012lx (%s+0x%lx)\n\n", (unsigned long)l.start, base_name(l.module), (unsigned long)l.offset);
  } else if (l.kind != LOCATION_UNKNOWN) {
    rt_printf(w->out, "  Location is %s of ", l.kind == LOCATION_STACK ? "the stack" : "a thread-local variable");
    thread_words(w->out, l.thread);
    rt_printf(w->out, "%s\n\n", l.thread->over ? ", which has ended" : "");
  }
}

static void print_thread(struct writing *w, const struct thread_info *i) {
  rt_printf(w->out, "  Thread T%u ", i->number);
  if (i->name[0]) rt_printf(w->out, "'%s' ", i->name);
  rt_printf(w->out, "(tid=%d, %s) created by ", i->id, i->over ? "finished" : "running");
  thread_words(w->out, thread_by_number(i->creator));
  rt_printf(w->out, " at:\n");
  print_stack(w, i->site);
}

static bool print_place(const struct frame_name *n, void *data) {
  struct writing *w = data;
  if (n->runtime) return true;
  rt_printf(w->out, " ");
  print_line(w->out, n);
  rt_printf(w->out, " in %s", n->function ? n->function : "<unknown>");
  return false;
}

static void print_notes(struct writing *w, const struct finding_piece *notes) {
  for (;;) {
    size_t start = w->out->count;
    rt_printf(w->out, "  ");
    if (!note_words(w->out, &w->locks, &notes)) {
      w->out->count = start;
      return;
    }
    rt_printf(w->out, ".\n\n");
  }
}

/* "data race (predicted)" */
static void print_title(struct rt_text *out, const struct finding *f, unsigned hole) {
  rt_printf(out, "Heddle: %s%s", finding_title(f->kind), f->predicted ? " (predicted" : "");
  if (f->holes) f->holes->at[hole] = out->count;
  if (f->predicted) rt_printf(out, ")");
}

void report_as_text(struct rt_text *out, const struct finding *f) {
  struct writing w = {.out = out};
  const struct thread_info *threads[THREADS_SHOWN];
  rt_printf(out, "==================\nWARNING: ");
  print_title(out, f, 0);
  rt_printf(out, " (pid=%d)\n", (int)getpid());
  for (unsigned i = 0; i < f->count; i++) print_part(&w, &f->parts[i]);
  print_notes(&w, f->notes);
  if (f->holes) f->holes->at[1] = out->count;
  if (f->sleep) {
    rt_printf(out, "  As if synchronized via sleep:\n");
    print_stack(&w, f->sleep);
  }
  print_location(&w, f->location, f->origin);
  print_made_locks(&w, f);
  for (unsigned i = 0; i < f->count; i++) print_locks(&w, &f->parts[i]);
  for (unsigned i = 0, n = finding_threads(f, threads, THREADS_SHOWN); i < n; i++) print_thread(&w, threads[i]);
  rt_printf(out, "SUMMARY: ");
  print_title(out, f, 2);
  stack_each(f->parts[0].site, print_place, &w);
  rt_printf(out, "\n==================\n");
}

static void print_suppression(const struct suppression *s, void *data) {
  if (s->count) rt_printf(data, "  %u by %s:%s (%s:%u)\n", s->count, s->type, s->pattern, s->file, s->line);
}

static void print_count(struct rt_text *out, const char *before, unsigned n, const char *what) {
  rt_printf(out, "%s%u %s%s", before, n, what, n == 1 ? "" : "s");
}

/* "Heddle: 2 predictions left out: ..." */
static void print_left_out(struct rt_text *out, unsigned n) {
  if (!n) return;
  print_count(out, "Heddle: ", n, "prediction");
  rt_printf(out,
            " left out: other threads use locals here whose fields clang -fsanitize=thread does not watch.\n"
            "Heddle: hint: build the program with heddle cc -fheddle=run\n");
}

/* "Heddle: 3 findings (data-race: 2, order-violation: 1); 7 more like them are not shown" */
void summary_as_text(struct rt_text *out, const struct report_summary *s) {
  print_left_out(out, s->left_out);
  if (order_lost)
    rt_printf(out, "Heddle: memory, or room for threads, ended: there may be races and predictions that were not found from then on\n");
  if (s->dropped)
    rt_printf(out, "Heddle: memory ended: %llu more finding%s not shown\n", (unsigned long long)s->dropped,
              s->dropped == 1 ? " is" : "s are");
  if (s->count == 0 && s->suppressed == 0) return;
  print_count(out, "Heddle: ", s->count, "finding");
  const char *before = " (";
  for (unsigned i = 0; i < FINDING_KIND_COUNT; i++) {
    if (!s->by_kind[i]) continue;
    rt_printf(out, "%s%s: %u", before, finding_json_kind(i), s->by_kind[i]);
    before = ", ";
  }
  if (s->count) rt_printf(out, ")");
  if (s->again) rt_printf(out, "; %llu more like them %s not shown", (unsigned long long)s->again, s->again == 1 ? "is" : "are");
  rt_printf(out, "\n");
  if (!s->suppressed) return;
  print_count(out, "Heddle: ", s->suppressed, "finding");
  rt_printf(out, " suppressed\n");
  suppressions_each(print_suppression, out);
}
