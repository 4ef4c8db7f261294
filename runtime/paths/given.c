#include "paths/given.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "paths/paths.h"

/* Names that are known, by hashes: a table with open addressing, to which entries are only added. */
enum { NAMES = 1 << 14, NAMES_MOST = NAMES / 2 };
static uint64_t names[NAMES];
static uint32_t name_count;
/* Where the next piece goes: in the log's file, at the end of a chunk if there is none. */
static uint64_t position;
/* The process that is recorded, its first environment. A child of vfork() has our memory. */
static pid_t process;
static const char *environment, *environment_end;

/* System calls that are no points where a thread may be cancelled. */
static ssize_t read_at(int fd, void *to, size_t n, uint64_t at) { return syscall(SYS_pread64, fd, to, n, at); }

void given_begin(void) {
  extern char **environ;
  process = getpid();
  if (!environ || !*environ) return;
  environment = *environ;
  for (char **at = environ; *at; at++)
    if (*at >= environment_end) environment_end = *at + strlen(*at);
}

bool given_is_first(const char *text) { return text >= environment && text < environment_end; }

static void count_unkept(void) { __atomic_fetch_add(&paths_header->unkept, 1, __ATOMIC_RELAXED); }

/* --- names --- */

static uint64_t hash_of(enum path_piece_kind kind, const char *name) {
  uint64_t hash = 0xcbf29ce484222325u ^ kind;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  hash ^= hash >> 29;
  return hash ? hash : 1;
}

/* 1: it is new; 0: it is known, or a name of another process; -1: there is no room. */
static int add_name(uint64_t hash) {
  for (uint64_t at = hash;; at++) {
    uint64_t *entry = &names[at % NAMES], known = __atomic_load_n(entry, __ATOMIC_RELAXED);
    if (known == hash) return 0;
    if (known) continue;
    if (getpid() != process) return 0;
    if (__atomic_load_n(&name_count, __ATOMIC_RELAXED) >= NAMES_MOST) return -1;
    if (__atomic_compare_exchange_n(entry, &known, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) break;
    if (known == hash) return 0;
  }
  __atomic_fetch_add(&name_count, 1, __ATOMIC_RELAXED);
  return 1;
}

bool given_claim(enum path_piece_kind kind, const char *name) {
  if (!paths_header || !name || !*name) return false;
  int added = add_name(hash_of(kind, name));
  if (added < 0) count_unkept();
  return added > 0;
}

/* --- pieces --- */

/* A piece with its place; it is mapped, with the rest of its chunk. */
struct place {
  char *chunk;
  struct path_piece *piece;
  char *bytes;
};

static uint64_t round_up(uint64_t n) { return (n + 7) & ~7ull; }

/* Room for so many bytes in the present chunk, or in a new one; 0: there is none. */
static uint64_t reserve(uint64_t n) {
  uint64_t at = __atomic_load_n(&position, __ATOMIC_RELAXED);
  for (;;) {
    uint64_t used = at % PATH_CHUNK, from = at;
    if (used == 0 || used + n > PATH_CHUNK) {
      off_t fresh = paths_next_place();
      struct path_chunk *head = fresh ? paths_map(fresh, true) : NULL;
      if (!head) return 0;
      *head = (struct path_chunk){.thread = PATH_GIVEN};
      munmap(head, PATH_CHUNK);
      from = (uint64_t)fresh + sizeof *head;
    }
    if (__atomic_compare_exchange_n(&position, &at, from + n, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return from;
  }
}

static bool begin_piece(struct place *p, uint32_t room) {
  room = (uint32_t)round_up(room);
  uint64_t at = reserve(sizeof *p->piece + room);
  p->chunk = at ? paths_map((off_t)(at - at % PATH_CHUNK), false) : NULL;
  if (!p->chunk) return false;
  p->piece = (struct path_piece *)(void *)(p->chunk + at % PATH_CHUNK);
  p->bytes = (char *)(p->piece + 1);
  *p->piece = (struct path_piece){.room = room};
  __atomic_store_n(&p->piece->kind, PIECE_PENDING, __ATOMIC_RELEASE);
  return true;
}

/* All of it is there before its kind is. */
static void end_piece(struct place *p, enum path_piece_kind kind) {
  __atomic_store_n(&p->piece->kind, kind, __ATOMIC_RELEASE);
  munmap(p->chunk, PATH_CHUNK);
}

static uint32_t next_item(void) { return __atomic_fetch_add(&paths_header->items, 1, __ATOMIC_RELAXED); }

static void tell(enum path_piece_kind kind, enum path_kept kept, uint32_t item, uint64_t size, const char *name) {
  size_t n = strlen(name);
  struct place p;
  if (n > PATH_PIECE_MOST - 8 || !begin_piece(&p, (uint32_t)n)) {
    count_unkept();
    return;
  }
  memcpy(p.bytes, name, n);
  p.piece->kept = (uint16_t)kept, p.piece->bytes = (uint32_t)n, p.piece->item = item, p.piece->at = size;
  end_piece(&p, kind);
}

void given_unkept(const char *name, enum path_kept why) { tell(PIECE_FILE, why, next_item(), 0, name); }
void given_variable(const char *text) { tell(PIECE_VARIABLE, PATH_KEPT, next_item(), 0, text); }

/* --- files --- */

/* The bytes from `at` on, as far as one piece has room for them. Sets `*got`; 0: it is the end. */
static enum path_kept keep_part(int fd, uint32_t item, uint64_t at, uint64_t expected, uint32_t *got) {
  struct place p;
  char one;
  *got = 0;
  ssize_t n = read_at(fd, &one, 1, at);
  if (n <= 0) return n == 0 ? PATH_KEPT : PATH_KEPT_ROOM;
  if (at >= PATH_KEPT_MOST) return PATH_KEPT_LARGE;
  uint64_t rest = expected > at ? expected - at : 4096; /* files of the kernel's do not say how large they are */
  uint32_t room = rest < PATH_PIECE_MOST ? (uint32_t)rest : PATH_PIECE_MOST;
  if (!begin_piece(&p, room)) return PATH_KEPT_ROOM;
  while (*got < room && (n = read_at(fd, p.bytes + *got, room - *got, at + *got)) > 0) *got += (uint32_t)n;
  p.piece->bytes = *got, p.piece->item = item, p.piece->at = at;
  end_piece(&p, n < 0 ? PIECE_PENDING : PIECE_BYTES);
  return n < 0 ? PATH_KEPT_ROOM : PATH_KEPT;
}

/* The bytes of all files count as soon as they are about to be kept. */
static bool take_room(uint64_t n) {
  if (n <= PATH_KEPT_MOST && __atomic_fetch_add(&paths_header->kept, n, __ATOMIC_RELAXED) + n <= PATH_KEPT_MOST_ALL) return true;
  if (n <= PATH_KEPT_MOST) __atomic_fetch_sub(&paths_header->kept, n, __ATOMIC_RELAXED);
  return false;
}

static enum path_kept keep(int fd, uint32_t item, uint64_t *size) {
  struct stat s;
  uint32_t got = 0;
  if (syscall(SYS_fstat, fd, &s) != 0) return PATH_KEPT_ROOM;
  uint64_t expected = (uint64_t)s.st_size;
  if (!take_room(expected)) return PATH_KEPT_LARGE;
  do {
    enum path_kept kept = keep_part(fd, item, *size, expected, &got);
    if (kept != PATH_KEPT) return kept;
    *size += got;
    if (*size > expected && !take_room(got)) return PATH_KEPT_LARGE;
  } while (got);
  return PATH_KEPT;
}

void given_file(const char *name, int fd) {
  uint32_t item = next_item();
  uint64_t size = 0;
  enum path_kept kept = fd < 0 ? PATH_KEPT : keep(fd, item, &size);
  tell(PIECE_FILE, kept, item, kept == PATH_KEPT ? size : 0, name);
}
