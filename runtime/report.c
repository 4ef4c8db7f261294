/* Reports as people who know ThreadSanitizer's expect them. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "race.h"
#include "runtime.h"
#include "symbol.h"
#include "sync.h"

enum { PAIRS = 1 << 16, EXPECTED = 1 << 12 };

static struct {
  struct rt_lock lock;   /* one report at a time */
  uint64_t pairs[PAIRS]; /* of places that were reported: open addressing */
  unsigned count;        /* reports */
  struct {
    uintptr_t address;
    size_t size;
  } expected[EXPECTED]; /* where races are what the program wants */
  unsigned nexpected;
} reports;

void races_expected(uintptr_t address, size_t size) {
  rt_lock(&reports.lock);
  if (reports.nexpected < EXPECTED) {
    reports.expected[reports.nexpected].address = address;
    reports.expected[reports.nexpected++].size = size;
  }
  rt_unlock(&reports.lock);
}

static bool is_expected(uintptr_t address) {
  for (unsigned i = 0; i < reports.nexpected; i++)
    if (address - reports.expected[i].address < reports.expected[i].size) return true;
  return false;
}

static uint32_t top_pc_hash(uint32_t site) { return (uint32_t)((context_at(site)->pc * 0x9e3779b97f4a7c15ull) >> 32); }

/* True if these two instructions were not reported together yet. */
static bool is_new(uint32_t a, uint32_t b) {
  uint64_t x = top_pc_hash(a), y = top_pc_hash(b), key = x < y ? x << 32 | y : y << 32 | x;
  key |= 1;
  for (unsigned i = (unsigned)(key >> 20) & (PAIRS - 1), n = 0; n < PAIRS; i = (i + 1) & (PAIRS - 1), n++) {
    if (reports.pairs[i] == key) return false;
    if (reports.pairs[i]) continue;
    reports.pairs[i] = key;
    return true;
  }
  return false;
}

struct stack {
  struct rt_text *out;
  unsigned number;
  const char *first_file, *first_function;
  int first_line;
};

static const char *base_name(const char *path) {
  const char *base = path;
  for (const char *p = path; *p; p++)
    if (*p == '/') base = p + 1;
  return base;
}

/* What starts threads and programs: everybody's stacks end there. */
static bool is_start(const char *function) {
  static const char *const names[] = {"start_thread", "__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl", "_start",
                                      "clone3",       "heddle_thread"};
  for (size_t i = 0; function && i < sizeof names / sizeof names[0]; i++)
    if (rt_equal(function, names[i])) return true;
  return false;
}

/* C++ names as they were written, if the program has what reads them. */
static char *demangled(const char *name) {
  static char *(*demangle)(const char *, char *, size_t *, int *);
  static bool looked;
  if (!looked) demangle = (char *(*)(const char *, char *, size_t *, int *))dlsym(RTLD_DEFAULT, "__cxa_demangle"), looked = true;
  int status;
  return demangle && name && name[0] == '_' && name[1] == 'Z' ? demangle(name, NULL, NULL, &status) : NULL;
}

/* Readers of debug information put the folder of the compilation before names that are absolute already. */
static const char *absolute(const char *file) {
  const char *start = file;
  for (const char *p = file; *p; p++)
    if (p[0] == '/' && p[1] == '/') start = p + 1;
  return start;
}

static void print_frame(const struct frame_name *n, void *data) {
  struct stack *s = data;
  if (s->number > 0 && is_start(n->function)) return;
  if (s->number == 0) s->first_file = n->file ? absolute(n->file) : NULL, s->first_function = n->function, s->first_line = n->line;
  char *written = demangled(n->function);
  rt_printf(s->out, "    #%u %s ", s->number++, written ? written : n->function ? n->function : "<unknown>");
  free(written);
  if (n->file)
    rt_printf(s->out, "%s:%d", absolute(n->file), n->line);
  else
    rt_printf(s->out, "<no line>");
  if (n->module) rt_printf(s->out, " (%s+0x%lx)", base_name(n->module), (unsigned long)n->offset);
  rt_printf(s->out, "\n");
}

/* Return addresses point behind their calls. */
static void print_stack(struct stack *s, uint32_t site) {
  if (site == SITE_UNKNOWN) {
    rt_printf(s->out, "    [the stack is not known]\n");
    return;
  }
  for (; site != SITE_UNKNOWN; site = context_at(site)->parent) symbol_of_code(context_at(site)->pc - 1, print_frame, s);
}

static const char *what_of(enum site_kind kind, bool previous) {
  switch (kind) {
    case SITE_READ:
      return previous ? "Previous read" : "Read";
    case SITE_WRITE:
      return previous ? "Previous write" : "Write";
    case SITE_ATOMIC_READ:
      return previous ? "Previous atomic read" : "Atomic read";
    case SITE_ATOMIC_WRITE:
      return previous ? "Previous atomic write" : "Atomic write";
    case SITE_FREE:
      return previous ? "Previous free or destruction" : "Free or destruction";
    case SITE_CALL:
    case SITE_ALLOC:
    case SITE_THREAD:
    case SITE_LOCK:
    case SITE_MERGED:
      break;
  }
  return previous ? "Previous access" : "Access";
}

static void thread_name(struct rt_text *out, const struct thread_info *i) {
  if (!i)
    rt_printf(out, "a thread that is not known");
  else if (i->number == 0)
    rt_printf(out, "main thread");
  else if (i->name[0])
    rt_printf(out, "thread T%u '%s'", i->number, i->name);
  else
    rt_printf(out, "thread T%u", i->number);
}

static void print_access(struct stack *s, bool previous, uint32_t site, uintptr_t address, const struct thread_info *by) {
  const struct site *at = context_at(site);
  rt_printf(s->out, "  %s", what_of((enum site_kind)at->kind, previous));
  if (at->size && at->kind != SITE_FREE) rt_printf(s->out, " of size %u", (unsigned)at->size);
  rt_printf(s->out, " at 0x%012lx by ", (unsigned long)address);
  thread_name(s->out, by);
  rt_printf(s->out, ":\n");
  s->number = 0;
  print_stack(s, site);
  rt_printf(s->out, "\n");
}

static void print_location(struct rt_text *out, uintptr_t address) {
  uintptr_t start;
  uint32_t site;
  size_t size;
  const char *name, *module;
  if (block_of(address, &start, &site) && address - start < malloc_usable_size((void *)start)) {
    struct stack s = {.out = out};
    rt_printf(out, "  Location is a heap block at 0x%012lx, %lu bytes from its begin, allocated at:\n", (unsigned long)start,
              (unsigned long)(address - start));
    print_stack(&s, site);
    rt_printf(out, "\n");
  } else if (symbol_of_data(address, &name, &start, &size, &module)) {
    rt_printf(out, "  Location is global '%s'", name);
    if (size) rt_printf(out, " of size %lu", (unsigned long)size);
    rt_printf(out, " at 0x%012lx (%s)\n\n", (unsigned long)start, base_name(module));
  }
}

static void print_thread(struct rt_text *out, const struct thread_info *i) {
  if (!i || i->number == 0) return;
  rt_printf(out, "  Thread T%u ", i->number);
  if (i->name[0]) rt_printf(out, "'%s' ", i->name);
  rt_printf(out, "(tid=%d, %s) created by ", i->id, i->over ? "finished" : "running");
  thread_name(out, thread_by_number(i->creator));
  rt_printf(out, " at:\n");
  struct stack s = {.out = out};
  print_stack(&s, i->site);
  rt_printf(out, "\n");
}

static void print_race(struct thread *t, const struct race *r) {
  static struct rt_text out;
  const struct thread_info *mine = t->info, *theirs = thread_of_epoch(r->epoch);
  bool freed = r->kind == SITE_FREE || context_at(r->theirs)->kind == SITE_FREE;
  const char *title = freed ? "use after free (race with a free or destruction)" : "data race";
  struct stack first = {.out = &out}, second = {.out = &out};
  rt_printf(&out, "==================\nWARNING: Heddle: %s (pid=%d)\n", title, (int)getpid());
  print_access(&first, false, r->mine, r->address, mine);
  print_access(&second, true, r->theirs, r->address, theirs);
  print_location(&out, r->address);
  print_thread(&out, mine);
  print_thread(&out, theirs);
  rt_printf(&out, "SUMMARY: Heddle: %s %s:%d in %s\n==================\n", title, first.first_file ? first.first_file : "<unknown>",
            first.first_line, first.first_function ? first.first_function : "<unknown>");
  rt_text_write(&out, options.log);
}

void race_found(struct thread *t, const struct race *r) {
  int saved = errno;
  rt_lock(&reports.lock);
  if (!is_expected(r->address) && is_new(r->mine, r->theirs)) {
    thread_enter(t);
    reports.count++;
    print_race(t, r);
    thread_leave(t);
  }
  rt_unlock(&reports.lock);
  errno = saved;
}

unsigned reports_count(void) { return reports.count; }
void reports_before_fork(void) { rt_lock(&reports.lock); }
void reports_after_fork(bool child) {
  if (child) reports.count = 0; /* of its own */
  rt_unlock(&reports.lock);
}
