#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "trace/intern.h"
#include "trace/recorded.h"
#include "trace/std.h"

enum { CHUNK = 1 << 16, LINE_MOST = 4096, WAITING_MOST = 4, LIMIT = 1 << 30 };

/* Addresses of variables and locks: no variable overlaps another one or a lock. */
#define VARIABLE(number) (0x100000000ull + 8ull * (number))
#define LOCK(number)     (0x10000000000ull + 64ull * (number))

struct thread {
  uint32_t events;
  bool begun, ended, forked;
};
struct variable {
  uint64_t value; /* that reads return: of the last write, or what was read before any */
  bool known;
};
struct lock {
  uint32_t owner, depth;
};

struct std {
  struct recorded_stream s; /* first: they are one */
  struct recorded_names names;
  struct text path;
  int fd;
  char chunk[CHUNK + LINE_MOST];
  size_t from, to; /* what of the chunk is not yet read */
  off_t offset;    /* of the file, behind the chunk */
  bool at_end;
  uint64_t line, writes;
  bool has_branches, has_values, knows_values;
  struct intern thread_names, variable_names, lock_names, locations;
  VEC(struct thread) threads;
  VEC(struct variable) variables;
  VEC(struct lock) locks;
  struct event waiting[WAITING_MOST]; /* of the present line */
  unsigned nwaiting, taken;
};

/* Part of a line. */
struct part {
  const char *at;
  size_t n;
};
struct fields {
  struct part thread, op, operand, location, value;
};

static enum err wrong(struct std *t, const char *what, struct part p) {
  t->s.e = diag_set(t->s.d, ERR_FORMAT, "%s:%llu: %s '%.*s'", text_str(&t->path), (unsigned long long)t->line, what,
                    (int)(p.n < 80 ? p.n : 80), p.at);
  diag_hint(t->s.d, "lines look like T0|acq(L1)|12; operations are r, w, acq, rel, fork, join, branch, begin, end");
  return ERR_FORMAT;
}

static bool part_is(struct part p, const char *word) { return p.n == strlen(word) && memcmp(p.at, word, p.n) == 0; }

static bool part_number(struct part p, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < p.n; i++) {
    unsigned digit = (unsigned)p.at[i] - '0';
    if (digit > 9 || __builtin_mul_overflow(*value, 10ull, value) || __builtin_add_overflow(*value, (uint64_t)digit, value)) return false;
  }
  return p.n > 0;
}

/* The part before the next `|`, which is taken from `*rest`. */
static struct part cut(struct part *rest) {
  const char *bar = rest->n ? memchr(rest->at, '|', rest->n) : NULL;
  struct part p = {rest->at, bar ? (size_t)(bar - rest->at) : rest->n};
  size_t gone = p.n + (bar != NULL);
  *rest = (struct part){rest->at + gone, rest->n - gone};
  return p;
}

static bool split(struct part line, struct fields *f) {
  struct part rest = line;
  f->thread = cut(&rest);
  struct part middle = cut(&rest);
  f->location = cut(&rest);
  f->value = rest;
  const char *open = middle.n ? memchr(middle.at, '(', middle.n) : NULL;
  if (f->thread.n == 0 || !open || middle.at[middle.n - 1] != ')') return false;
  f->op = (struct part){middle.at, (size_t)(open - middle.at)};
  f->operand = (struct part){open + 1, (size_t)(middle.at + middle.n - 1 - (open + 1))};
  return true;
}

bool std_begins(const char *bytes, size_t n) {
  const char *end = n ? memchr(bytes, '\n', n) : NULL;
  struct fields f;
  struct part first = {bytes, end ? (size_t)(end - bytes) : n};
  if (end && split(first, &f)) return true;
  /* A line that is cut here: at least its thread and operation are there. */
  const char *bar = n ? memchr(bytes, '|', n) : NULL;
  return !end && bar && bar > bytes && memchr(bar, '(', (size_t)(bytes + n - bar));
}

static uint32_t thread_number(struct std *t, struct part name) {
  bool is_new;
  uint32_t number = intern(&t->thread_names, name.at, name.n, &is_new);
  if (is_new) {
    *vec_push(&t->threads) = (struct thread){0};
    *vec_push(&t->names.threads) = recorded_add_string(&t->names, name.at, name.n);
  }
  return number;
}

static uint64_t variable_number(struct std *t, struct part name) {
  bool is_new;
  uint32_t number = intern(&t->variable_names, name.at, name.n, &is_new);
  if (is_new) *vec_push(&t->variables) = (struct variable){0};
  return number;
}

static struct lock *lock_of(struct std *t, struct part name, uint64_t *object) {
  bool is_new;
  uint32_t number = intern(&t->lock_names, name.at, name.n, &is_new);
  if (is_new) *vec_push(&t->locks) = (struct lock){0};
  *object = LOCK(number);
  return &t->locks.data[number];
}

/* A location that is a number is a line of a file without a name; any other is a file's name; -1 is that of who does not know. */
static uint32_t site_number(struct std *t, struct part location) {
  bool is_new;
  if (location.n == 0 || part_is(location, "-1")) return 0;
  uint32_t number = 1 + intern(&t->locations, location.at, location.n, &is_new);
  if (!is_new) return number;
  uint64_t line;
  struct recorded_site site = {0};
  if (part_number(location, &line) && line > 0 && line < LIMIT)
    site.line = (uint32_t)line;
  else
    site.file = recorded_add_string(&t->names, location.at, location.n);
  *vec_push(&t->names.sites) = site;
  return number;
}

static struct event *add(struct std *t, unsigned op, uint32_t thread, uint32_t site) {
  struct event *e = &t->waiting[t->nwaiting++];
  *e = (struct event){.op = (uint8_t)op, .thread = thread, .index = t->threads.data[thread].events++, .site = site};
  return e;
}

static enum err read_access(struct std *t, const struct fields *f, uint32_t thread, uint32_t site, bool write) {
  uint64_t value = 0, number = variable_number(t, f->operand);
  bool has = f->value.n > 0;
  if (!t->knows_values) t->has_values = has, t->knows_values = true;
  if (has != t->has_values) return wrong(t, "some lines have values and others have none:", f->operand);
  if (has && !part_number(f->value, &value)) return wrong(t, "the value is no number:", f->value);
  if (!has && write) value = ++t->writes;
  if (!has && !write) value = t->variables.data[number].value;
  struct variable *v = &t->variables.data[number];
  bool unexplained = !write && v->known && v->value != value;
  *v = (struct variable){value, true};
  struct event *e = add(t, write ? EVENT_WRITE : EVENT_READ, thread, site);
  e->object = VARIABLE(number);
  e->size = 8;
  e->value = value;
  if (unexplained) e->flags = RECORDED_UNORDERED, t->s.unordered++;
  if (!write && !t->has_branches) add(t, RECORDED_BRANCH, thread, site);
  return ERR_NONE;
}

static enum err read_r(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  return read_access(t, f, thread, site, false);
}

static enum err read_w(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  return read_access(t, f, thread, site, true);
}

static enum err read_acq(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  uint64_t object;
  struct lock *l = lock_of(t, f->operand, &object);
  if (l->depth && l->owner != thread) return wrong(t, "another thread holds the lock", f->operand);
  l->owner = thread;
  if (l->depth++ == 0) add(t, EVENT_ACQUIRE, thread, site)->object = object;
  return ERR_NONE;
}

static enum err read_rel(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  uint64_t object;
  struct lock *l = lock_of(t, f->operand, &object);
  if (!l->depth || l->owner != thread) return wrong(t, "the thread does not hold the lock", f->operand);
  if (--l->depth == 0) add(t, EVENT_RELEASE, thread, site)->object = object;
  return ERR_NONE;
}

static enum err read_fork(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  uint32_t child = thread_number(t, f->operand);
  if (child == thread || t->threads.data[child].begun || t->threads.data[child].forked)
    return wrong(t, "the thread was there before:", f->operand);
  t->threads.data[child].forked = true;
  add(t, EVENT_FORK, thread, site)->object = child;
  return ERR_NONE;
}

static enum err read_join(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  uint32_t child = thread_number(t, f->operand);
  if (child == thread) return wrong(t, "a thread waits for itself:", f->operand);
  struct thread *c = &t->threads.data[child];
  if (c->begun && !c->ended) add(t, EVENT_END, child, 0);
  c->ended = true;
  add(t, EVENT_JOIN, thread, site)->object = child;
  return ERR_NONE;
}

static enum err read_branch(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  struct event *e = add(t, RECORDED_BRANCH, thread, site);
  if (!part_number(f->operand, &e->value)) e->value = 0;
  return ERR_NONE;
}

static enum err read_region(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  add(t, part_is(f->op, "begin") ? RECORDED_CALL : RECORDED_RETURN, thread, site);
  return ERR_NONE;
}

static enum err read_nothing(struct std *t, const struct fields *f, uint32_t thread, uint32_t site) {
  (void)t, (void)f, (void)thread, (void)site;
  return ERR_NONE;
}

static const struct {
  const char *word;
  enum err (*read)(struct std *t, const struct fields *f, uint32_t thread, uint32_t site);
} operations[] = {
    {"r", read_r},       {"w", read_w},           {"acq", read_acq},      {"rel", read_rel},    {"fork", read_fork},
    {"join", read_join}, {"branch", read_branch}, {"begin", read_region}, {"end", read_region}, {"req", read_nothing},
};

static enum err read_line(struct std *t, struct part line) {
  struct fields f;
  if (line.n && line.at[line.n - 1] == '\r') line.n--;
  if (line.n == 0) return ERR_NONE;
  if (line.n >= LINE_MOST) return wrong(t, "too long a line:", line);
  if (!split(line, &f)) return wrong(t, "no event:", line);
  uint32_t thread = thread_number(t, f.thread), site = site_number(t, f.location);
  if (t->threads.data[thread].ended) return wrong(t, "a thread goes on that has been joined:", f.thread);
  if (t->threads.data[thread].events >= LIMIT) return wrong(t, "too many events of thread", f.thread);
  if (!t->threads.data[thread].begun) {
    t->threads.data[thread].begun = true;
    add(t, EVENT_BEGIN, thread, 0);
  }
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    if (part_is(f.op, operations[i].word)) return operations[i].read(t, &f, thread, site);
  }
  return wrong(t, "no operation:", f.op);
}

static bool fill(struct std *t) {
  memmove(t->chunk, t->chunk + t->from, t->to - t->from);
  t->to -= t->from;
  t->from = 0;
  ssize_t n = pread(t->fd, t->chunk + t->to, sizeof t->chunk - t->to, t->offset); /* not read(): a forked process reads it, too */
  if (n < 0) t->s.e = diag_set(t->s.d, ERR_FILE, "cannot read %s", text_str(&t->path));
  if (n > 0) t->to += (size_t)n, t->offset += n;
  return n > 0;
}

/* The next line without its end; false at the end of the file. */
static bool next_line(struct std *t, struct part *line) {
  for (;;) {
    const char *from = t->chunk + t->from;
    size_t left = t->to - t->from;
    const char *end = left ? memchr(from, '\n', left) : NULL;
    if (!end && !t->at_end && left < LINE_MOST) {
      t->at_end = !fill(t);
      if (t->s.e) return false;
      continue;
    }
    *line = (struct part){from, end ? (size_t)(end - from) : left};
    t->from += line->n + (end != NULL);
    t->line++;
    return line->n > 0 || end;
  }
}

static size_t std_next(struct recorded_stream *s, struct event *out, size_t most) {
  struct std *t = (struct std *)s;
  struct part line;
  size_t n = 0;
  while (n < most && !s->e) { /* what a wrong line began with counts no more than the rest of it */
    if (t->taken < t->nwaiting) {
      out[n++] = t->waiting[t->taken++];
      continue;
    }
    t->taken = t->nwaiting = 0;
    if (!next_line(t, &line) || read_line(t, line) != ERR_NONE) break;
  }
  return n;
}

static void std_close(struct recorded_stream *s) {
  struct std *t = (struct std *)s;
  close(t->fd);
  text_release(&t->path);
  intern_release(&t->thread_names);
  intern_release(&t->variable_names);
  intern_release(&t->lock_names);
  intern_release(&t->locations);
  vec_release(&t->threads);
  vec_release(&t->variables);
  vec_release(&t->locks);
  recorded_names_release(&t->names);
  mem_free(t, sizeof *t);
}

/* Does the file name branches? Then those are all that there are. */
static bool look_for_branches(struct std *t) {
  static const char word[] = "|branch(";
  size_t kept = 0;
  ssize_t n;
  for (off_t at = 0; (n = pread(t->fd, t->chunk + kept, CHUNK, at)) > 0; at += n) {
    size_t all = kept + (size_t)n;
    if (memmem(t->chunk, all, word, sizeof word - 1)) return true;
    kept = all < sizeof word ? all : sizeof word;
    memmove(t->chunk, t->chunk + all - kept, kept);
  }
  return false;
}

enum err std_open(const char *path, int fd, struct recorded_stream **s, struct diag *d) {
  struct std *t = mem_alloc(sizeof *t);
  t->s = (struct recorded_stream){.next = std_next, .names = &t->names, .close = std_close, .d = d};
  text_puts(&t->path, path);
  t->fd = fd;
  recorded_names_init(&t->names);
  *vec_push(&t->names.methods) = recorded_add_string(&t->names, "atomic", 6);
  t->has_branches = look_for_branches(t);
  *s = &t->s;
  return ERR_NONE;
}
