/* Findings as people who know ThreadSanitizer's expect them. */
#include <malloc.h>
#include <unistd.h>

#include "report.h"
#include "stack.h"
#include "sync.h"

enum { LOCKS_NUMBERED = 64, THREADS_SHOWN = 64 };

/* A report as it is being written: its locks are numbered in the order in which they come. */
struct writing {
  struct rt_text *out;
  uintptr_t locks[LOCKS_NUMBERED];
  unsigned nlocks;
  unsigned frames; /* of the present stack */
};

static unsigned lock_number(struct writing *w, uintptr_t address) {
  unsigned i = 0;
  while (i < w->nlocks && w->locks[i] != address) i++;
  if (i == w->nlocks && i < LOCKS_NUMBERED) w->locks[w->nlocks++] = address;
  return i + 1;
}

static bool print_frame(const struct frame_name *n, void *data) {
  struct writing *w = data;
  rt_printf(w->out, "    #%u %s ", w->frames++, n->function ? n->function : "<unknown>");
  if (n->file)
    rt_printf(w->out, "%s:%d", n->file, n->line);
  else
    rt_printf(w->out, "<no line>");
  if (n->module) rt_printf(w->out, " (%s+0x%lx)", base_name(n->module), (unsigned long)n->offset);
  rt_printf(w->out, "\n");
  return true;
}

static void print_stack(struct writing *w, uint32_t site) {
  w->frames = 0;
  stack_each(site, print_frame, w);
  if (w->frames == 0) rt_printf(w->out, "    [the stack is not known]\n");
  rt_printf(w->out, "\n");
}

static void print_thread_name(struct rt_text *out, const struct thread_info *i) {
  if (!i)
    rt_printf(out, "a thread that is not known");
  else if (i->number == 0)
    rt_printf(out, "main thread");
  else if (i->name[0])
    rt_printf(out, "thread T%u '%s'", i->number, i->name);
  else
    rt_printf(out, "thread T%u", i->number);
}

static void print_lock_name(struct writing *w, const struct finding_lock *l) {
  if (!l->address) {
    rt_printf(w->out, "a lock that is gone");
    return;
  }
  const char *name, *module;
  uintptr_t start;
  size_t size;
  rt_printf(w->out, "M%u", lock_number(w, l->address));
  if (!symbol_of_data(l->address, &name, &start, &size, &module)) return;
  rt_printf(w->out, " '%s", name);
  if (l->address != start) rt_printf(w->out, "+%lu", (unsigned long)(l->address - start));
  rt_printf(w->out, "'");
}

static void print_held(struct writing *w, const struct finding_locks *held) {
  if (held->known == LOCKS_NOT_ASKED) return;
  if (held->count == 0) {
    rt_printf(w->out, held->known == LOCKS_ALL ? ", holding no lock" : ", whose locks are not known any more");
    return;
  }
  rt_printf(w->out, ", holding ");
  for (unsigned i = 0; i < held->count; i++) {
    if (i) rt_printf(w->out, ", ");
    print_lock_name(w, &held->at[i]);
    if (held->at[i].shared) rt_printf(w->out, " (shared)");
  }
  if (held->known == LOCKS_SOME) rt_printf(w->out, ", perhaps others");
}

static void print_part(struct writing *w, const struct finding_part *p) {
  char first = p->previous ? 'P' : (char)(p->what[0] - ('a' <= p->what[0] && p->what[0] <= 'z' ? 'a' - 'A' : 0));
  rt_printf(w->out, "  %c%s%s", first, p->previous ? "revious " : "", p->previous ? p->what : p->what + 1);
  if (p->size) rt_printf(w->out, " of size %u", p->size);
  if (p->address) rt_printf(w->out, " at 0x%012lx", (unsigned long)p->address);
  if (p->wanted) {
    rt_printf(w->out, " ");
    print_lock_name(w, p->wanted);
    if (p->wanted->shared) rt_printf(w->out, " (shared)");
  }
  rt_printf(w->out, " by ");
  print_thread_name(w->out, p->thread);
  print_held(w, &p->held);
  rt_printf(w->out, ":\n");
  print_stack(w, p->site);
}

static void print_lock(struct writing *w, const struct finding_lock *l, const struct thread_info *by) {
  if (!l->address && !l->site) return;
  rt_printf(w->out, "  Lock ");
  print_lock_name(w, l);
  if (l->address) rt_printf(w->out, " (%s at 0x%012lx)", sync_kind_name(l->kind), (unsigned long)l->address);
  rt_printf(w->out, " taken by ");
  print_thread_name(w->out, by);
  rt_printf(w->out, " at:\n");
  print_stack(w, l->site);
}

static void print_locks(struct writing *w, const struct finding_part *p) {
  for (unsigned i = 0; i < p->held.count; i++) print_lock(w, &p->held.at[i], p->thread);
}

static void print_location(struct writing *w, uintptr_t address) {
  uintptr_t start;
  uint32_t site;
  size_t size;
  const char *name, *module;
  if (block_of(address, &start, &site) && address - start < malloc_usable_size((void *)start)) {
    rt_printf(w->out, "  Location is a heap block at 0x%012lx, %lu bytes from its begin, allocated at:\n", (unsigned long)start,
              (unsigned long)(address - start));
    print_stack(w, site);
  } else if (symbol_of_data(address, &name, &start, &size, &module)) {
    rt_printf(w->out, "  Location is global '%s'", name);
    if (size) rt_printf(w->out, " of size %lu", (unsigned long)size);
    rt_printf(w->out, " at 0x%012lx (%s)\n\n", (unsigned long)start, base_name(module));
  }
}

static void print_thread(struct writing *w, const struct thread_info *i) {
  rt_printf(w->out, "  Thread T%u ", i->number);
  if (i->name[0]) rt_printf(w->out, "'%s' ", i->name);
  rt_printf(w->out, "(tid=%d, %s) created by ", i->id, i->over ? "finished" : "running");
  print_thread_name(w->out, thread_by_number(i->creator));
  rt_printf(w->out, " at:\n");
  print_stack(w, i->site);
}

static bool print_place(const struct frame_name *n, void *data) {
  struct writing *w = data;
  rt_printf(w->out, " %s:%d in %s", n->file ? n->file : "<unknown>", n->file ? n->line : 0, n->function ? n->function : "<unknown>");
  return false;
}

void report_as_text(struct rt_text *out, const struct finding *f) {
  struct writing w = {.out = out};
  const struct thread_info *threads[THREADS_SHOWN];
  rt_printf(out, "==================\nWARNING: Heddle: %s (pid=%d)\n", finding_title(f->kind), (int)getpid());
  for (unsigned i = 0; i < f->count; i++) print_part(&w, &f->parts[i]);
  for (unsigned i = 0; f->notes && f->notes[i]; i++) rt_printf(out, "  %s\n\n", f->notes[i]);
  if (f->location) print_location(&w, f->location);
  for (unsigned i = 0; i < f->count; i++) print_locks(&w, &f->parts[i]);
  for (unsigned i = 0, n = finding_threads(f, threads, THREADS_SHOWN); i < n; i++) print_thread(&w, threads[i]);
  rt_printf(out, "SUMMARY: Heddle: %s", finding_title(f->kind));
  stack_each(f->parts[0].site, print_place, &w);
  rt_printf(out, "\n==================\n");
}
