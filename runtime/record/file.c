#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "enforce/enforce.h"
#include "record/buffer.h"
#include "record/kept.h"
#include "record/name.h"

enum { FAR = 1000 /* out of the way of programs that count on low descriptors */, KEPT = 1024 };

/* A descriptor of a file of ours, and which file that is, whatever the number means by now. */
struct opened {
  int fd;
  dev_t device;
  ino_t inode;
};

static struct {
  char path[PATH_MAX + 16], live[PATH_MAX + 32];
  const char *program; /* NULL: the one that runs */
  struct opened events, rest;
  struct trace_live *slots; /* FILE.live, mapped */
  uint64_t end;             /* of the file */
  uint64_t ring, hole;      /* what was made a hole ends there */
  uint64_t begin;           /* of the blocks */
  uint32_t sites;           /* numbers given so far */
  bool over;
  struct rt_lock lock; /* for what follows, at the beginning and the end of threads */
  uint32_t used, nfree;
  uint16_t free[FILE_SLOTS];
  struct rt_lock writing[FILE_SLOTS]; /* of each slot: its thread writes a block, or who ends the process does */
  struct rt_lock ring_lock;
  struct {
    uint64_t from, to;
  } kept[KEPT]; /* blocks of names: a ring keeps them */
  uint32_t nkept;
} file;

bool recording;
__thread struct recorder hd_recorder;

/* --- bytes --- */

/* Programs close descriptors that they do not know, and what they open then may have the number. */
static bool is_ours(const struct opened *o, int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && s.st_dev == o->device && s.st_ino == o->inode;
}

static int keep_far(int fd) {
  int far = fcntl(fd, F_DUPFD_CLOEXEC, FAR);
  if (far >= 0) syscall(SYS_close, fd);
  return far >= 0 ? far : fd;
}

/* -1: the file cannot be opened again. */
static int descriptor(struct opened *o, const char *path) {
  int had = __atomic_load_n(&o->fd, __ATOMIC_RELAXED);
  if (is_ours(o, had)) return had;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd >= 0 && !is_ours(o, fd)) syscall(SYS_close, fd), fd = -1;
  if (fd < 0) return -1;
  fd = keep_far(fd);
  __atomic_store_n(&o->fd, fd, __ATOMIC_RELAXED);
  return fd;
}

static bool write_at(const void *head, size_t n, const void *rest, size_t m, uint64_t at) {
  static const char zeros[8];
  struct iovec parts[] = {{(void *)(uintptr_t)head, n}, {(void *)(uintptr_t)rest, m}, {(void *)(uintptr_t)zeros, trace_padded(m) - m}};
  size_t whole = n + trace_padded(m);
  int saved = errno;
  long wrote;
  uint64_t mask;
  int fd = descriptor(&file.events, file.path);
  rt_hold_limit(&mask);
  do wrote = fd < 0 ? -1 : syscall(SYS_pwritev, fd, parts, 3, at, 0);
  while (fd >= 0 && wrote < 0 && errno == EINTR);
  rt_let_limit(mask, wrote != (long)whole);
  errno = saved;
  return wrote == (long)whole;
}

/* The oldest part goes, but for what is kept. */
static void make_hole(void) {
  rt_lock(&file.ring_lock);
  uint64_t end = __atomic_load_n(&file.end, __ATOMIC_RELAXED), to = end > file.ring ? (end - file.ring) & ~4095ull : 0;
  for (uint64_t at = file.hole; at < to;) {
    uint64_t stop = to, next = to;
    for (uint32_t i = 0; i < file.nkept; i++) {
      uint64_t from = file.kept[i].from & ~4095ull, over = (file.kept[i].to + 4095) & ~4095ull;
      if (from <= at && at < over) stop = at, next = over < to ? over : to;
      if (from > at && from < stop) stop = from, next = from;
    }
    if (stop > at) syscall(SYS_fallocate, descriptor(&file.events, file.path), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, stop - at);
    at = next;
  }
  if (to > file.hole) file.hole = to;
  rt_unlock(&file.ring_lock);
}

static bool write_block(struct trace_block *b, const void *payload, bool keep) {
  if (UNLIKELY(enforcing)) return true; /* there is no file */
  size_t whole = sizeof *b + trace_padded(b->packed);
  b->magic = TRACE_BLOCK_MAGIC;
  b->check = trace_block_check(b, payload);
  uint64_t at = __atomic_fetch_add(&file.end, whole, __ATOMIC_RELAXED);
  if (keep) {
    uint32_t i = __atomic_fetch_add(&file.nkept, 1, __ATOMIC_RELAXED);
    if (i < KEPT) file.kept[i].from = at, file.kept[i].to = at + whole;
    if (i >= KEPT) __atomic_store_n(&file.nkept, KEPT, __ATOMIC_RELAXED);
  }
  bool wrote = write_at(b, sizeof *b, payload, b->packed, at);
  if (!wrote) __atomic_fetch_add(&file.slots->dropped, b->count, __ATOMIC_RELAXED);
  if (file.ring && at + whole > file.hole + file.ring + file.ring / 8) make_hole();
  return wrote;
}

static struct trace_slot *slot_at(uint32_t index) {
  return (struct trace_slot *)(void *)((char *)file.slots + TRACE_LIVE_FIRST + (size_t)index * FILE_SLOT);
}

void file_lock_slot(uint32_t index) { rt_lock(&file.writing[index]); }
void file_unlock_slot(uint32_t index) { rt_unlock(&file.writing[index]); }

/* Once the process has ended, nobody asks any more. */
void file_write_events(const struct trace_slot *s, uint64_t count) {
  struct trace_block b = {.kind = TRACE_EVENTS,
                          .thread = s->thread,
                          .sequence = s->sequence,
                          .raw = (uint32_t)s->used,
                          .packed = (uint32_t)s->used,
                          .first = s->first,
                          .count = count - s->first,
                          .time = s->time};
  if (!file.over && b.count > 0) write_block(&b, s + 1, false);
}

uint32_t file_take_sites(uint32_t sites) { return __atomic_fetch_add(&file.sites, sites, __ATOMIC_RELAXED) + 1; }

void file_write_names(const void *names, size_t size, uint32_t first_site, uint32_t first_method) {
  struct trace_block b = {.kind = TRACE_NAMES, .raw = (uint32_t)size, .packed = (uint32_t)size, .first = first_site, .count = first_method};
  write_block(&b, names, true);
}

/* --- slots --- */

/* The file of slots grows with them. One without a place on the disk is none: a store to it would be a SIGBUS. */
static bool add_slot(uint32_t index) {
  uint64_t mask;
  int saved = errno;
  int fd = file.used < FILE_SLOTS ? descriptor(&file.rest, file.live) : -1;
  rt_hold_limit(&mask);
  bool there = fd >= 0 && posix_fallocate(fd, (char *)slot_at(index) - (char *)file.slots, FILE_SLOT) == 0;
  rt_let_limit(mask, !there);
  if (there) file.slots->slots = __atomic_add_fetch(&file.used, 1, __ATOMIC_RELAXED);
  errno = saved;
  return there;
}

struct trace_slot *file_take_slot(uint32_t *index) {
  rt_lock(&file.lock);
  bool again = file.nfree > 0;
  *index = again ? file.free[--file.nfree] : file.used;
  bool there = again || add_slot(*index);
  rt_unlock(&file.lock);
  if (there) return slot_at(*index);
  __atomic_fetch_add(&file.slots->dropped, 1, __ATOMIC_RELAXED); /* the trace is not whole */
  rt_say(
      "heddle: there is no place for the trace of another thread, which is not recorded: is the disk full, or a limit of the process "
      "reached?\n");
  return NULL;
}

void file_give_slot(uint32_t index) {
  rt_lock(&file.lock);
  file.free[file.nfree++] = (uint16_t)index;
  rt_unlock(&file.lock);
}

/* --- the process --- */

static _Noreturn void cannot(const char *path) { rt_die("heddle: cannot write the trace %s: %s\n", path, strerrordesc_np(errno)); }

static size_t add_text(char *texts, size_t n, const char *from, size_t length) {
  if (length > TRACE_TEXTS_MOST - 2 - n) length = TRACE_TEXTS_MOST - 2 - n;
  rt_copy(texts + n, from, length);
  return n + length;
}

/* The path of the program and its build, with their zeros. */
static size_t read_program(char *texts) {
  char path[PATH_MAX];
  size_t digits = 0, n;
  while (file.program && file.program[digits] && file.program[digits] != ':') digits++;
  ssize_t length = file.program ? 0 : readlink("/proc/self/exe", path, sizeof path);
  if (file.program && file.program[digits])
    n = add_text(texts, 0, file.program + digits + 1, rt_length(file.program + digits + 1));
  else
    n = add_text(texts, 0, path, length > 0 ? (size_t)length : 0), digits = 0;
  texts[n++] = 0;
  n = add_text(texts, n, file.program, digits);
  texts[n++] = 0;
  return n;
}

/* The program, and its arguments. */
static size_t read_texts(char *texts) {
  ssize_t length;
  size_t n = read_program(texts);
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  while (fd >= 0 && n < TRACE_TEXTS_MOST - 2 && (length = read(fd, texts + n, TRACE_TEXTS_MOST - 2 - n)) > 0) n += (size_t)length;
  if (fd >= 0) close(fd);
  if (texts[n - 1]) texts[n++] = 0;
  return n;
}

static uint64_t now(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void write_header(uint32_t parent) {
  char *texts = rt_pages(TRACE_TEXTS_MOST);
  if (!texts) cannot(file.path);
  struct trace_header h = {.magic = TRACE_MAGIC,
                           .version = TRACE_VERSION,
                           .flags = parent ? TRACE_FORKED : 0,
                           .pid = (uint32_t)getpid(),
                           .parent = parent,
                           .start = file.slots->start,
                           .tick = __builtin_ia32_rdtsc(),
                           .ring = file.ring};
  h.texts = (uint32_t)read_texts(texts);
  h.check = trace_header_check(&h, texts);
  file.begin = file.end = file.hole = trace_padded(sizeof h + h.texts);
  if (!write_at(&h, sizeof h, texts, h.texts, 0)) cannot(file.path);
  munmap(texts, TRACE_TEXTS_MOST);
}

static void keep(struct opened *o, int fd) {
  struct stat s;
  o->fd = keep_far(fd);
  if (fstat(o->fd, &s) != 0) cannot(file.path);
  o->device = s.st_dev, o->inode = s.st_ino;
}

static void open_files(uint32_t parent) {
  const size_t size = TRACE_LIVE_FIRST + (size_t)FILE_SLOTS * FILE_SLOT;
  struct rt_text live = {0};
  rt_printf(&live, "%s.live", file.path);
  rt_copy(file.live, live.data, live.count), file.live[live.count] = 0;
  munmap(live.data, live.cap);
  int fd = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) cannot(file.path);
  keep(&file.events, fd);
  fd = open(file.live, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  uint64_t mask;
  rt_hold_limit(&mask);
  int failure = fd < 0 ? errno : posix_fallocate(fd, 0, TRACE_LIVE_FIRST);
  rt_let_limit(mask, failure != 0);
  if (failure) errno = failure, cannot(file.live);
  void *slots = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (slots == MAP_FAILED) cannot(file.live);
  keep(&file.rest, fd);
  file.slots = slots;
  *file.slots = (struct trace_live){.magic = TRACE_LIVE_MAGIC, .start = now(), .slot = FILE_SLOT};
  write_header(parent);
}

void record_start(const char *path, uint64_t ring, const char *program) {
  if (rt_length(path) >= PATH_MAX) errno = ENAMETOOLONG, cannot(path);
  rt_copy(file.path, path, rt_length(path) + 1);
  file.ring = ring, file.program = program;
  names_start();
  open_files(0);
  name_child(NULL, hd_fast.self->info);
  recording = true;
  record_begin(hd_fast.self);
}

/* Another thread's block, as far as it has come. It alone knows how many events that are, so they are counted. */
static void write_others(const struct trace_slot *s) {
  static struct trace_coder coder;
  uint64_t used = __atomic_load_n(&s->used, __ATOMIC_ACQUIRE), count = 0;
  const unsigned char *payload = (const unsigned char *)(s + 1), *at = payload + rt_length((const char *)payload) + 1;
  if (!used) return;
  rt_zero(&coder, sizeof coder);
  enum trace_record kind = TRACE_RECORD_TIME;
  for (struct trace_event e; at < payload + used && kind != TRACE_RECORD_BAD; count += kind == TRACE_RECORD_EVENT)
    kind = trace_get(&coder, &at, &e);
  struct trace_block b = {.kind = TRACE_EVENTS,
                          .thread = s->thread,
                          .sequence = s->sequence,
                          .raw = (uint32_t)used,
                          .packed = (uint32_t)used,
                          .first = s->first,
                          .count = count,
                          .time = s->time};
  if (count) write_block(&b, payload, false);
}

/* What other threads have done so far is written as it is in their buffers, and not what they do from now on. */
void record_finish(void) {
  if (!recording) return;
  if (UNLIKELY(enforcing)) {
    enforce_exit(hd_fast.self);
    return;
  }
  struct recorder *r = &hd_recorder;
  uint32_t n = __atomic_load_n(&file.used, __ATOMIC_RELAXED);
  if (r->slot && r->ready) buffer_close(r);
  for (uint32_t i = 0; i < n; i++) rt_lock(&file.writing[i]);
  recording = false, file.over = true;
  uint64_t dropped = file.slots->dropped;
  if (dropped) rt_say("heddle: the trace has gaps: at least %lu events could not be written\n", (unsigned long)dropped);
  for (uint32_t i = 0; i < n; i++) write_others(slot_at(i));
  struct trace_block end = {.kind = TRACE_END, .first = file.slots->dropped};
  if (write_block(&end, "", false)) unlink(file.live);
  for (uint32_t i = 0; i < n; i++) rt_unlock(&file.writing[i]);
}

void record_before_fork(void) {
  if (UNLIKELY(enforcing)) return;
  kept_before_fork();
  rt_lock(&file.lock);
  rt_lock(&file.ring_lock);
}

static void forget_count(struct sync *s, void *data) {
  (void)data;
  s->recorded = 0;
}

/* What the forking thread holds, a child may give back, as handlers of pthread_atfork() do. */
static void hold(struct sync *s, void *data) {
  struct thread *t = data;
  bool lock = s->kind == SYNC_MUTEX || s->kind == SYNC_RWLOCK || s->kind == SYNC_SPIN;
  if (lock && s->owner == t->info->number + 1) record_sync(t, TRACE_EVENT_ACQUIRE, s, 0, 0);
}

/* The child has a trace of its own, in which it is the first thread. */
static void begin_child(void) {
  struct rt_text path = {0};
  struct recorder *r = &hd_recorder;
  uint32_t number = hd_fast.self->info->number, site = r->site;
  rt_printf(&path, "%s.%d", file.path, getpid());
  if (path.count >= sizeof file.path) {
    recording = false;
    return;
  }
  rt_copy(file.path, path.data, path.count), file.path[path.count] = 0;
  munmap(path.data, path.cap);
  if (is_ours(&file.events, file.events.fd)) syscall(SYS_close, file.events.fd);
  if (is_ours(&file.rest, file.rest.fd)) syscall(SYS_close, file.rest.fd);
  munmap(file.slots, TRACE_LIVE_FIRST + (size_t)FILE_SLOTS * FILE_SLOT);
  file.used = file.nfree = file.nkept = 0;
  for (uint32_t i = 0; i < FILE_SLOTS; i++) file.writing[i].held = 0;
  open_files((uint32_t)getppid());
  rt_free(r->coder, sizeof *r->coder);
  *r = (struct recorder){0};
  names_begin_anew(number);
  record_counts_anew();
  sync_each(forget_count, NULL);
  calls_after_fork();
  record_begin(hd_fast.self);
  r->site = site;
  sync_each(hold, hd_fast.self);
}

void record_after_fork(bool child) {
  if (UNLIKELY(enforcing)) {
    if (child) enforce_after_fork();
    return;
  }
  rt_unlock(&file.ring_lock);
  rt_unlock(&file.lock);
  kept_after_fork(child);
  if (child) begin_child();
}
