#include "cli/native/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "program/process.h"

/* What the pump's process says. */
struct feed_shared {
  bool overflows; /* more has come than is kept */
};

static enum err failed_to(const char *what, struct diag *d) { return diag_set(d, ERR_TOOL, "cannot %s: %s", what, strerror(errno)); }

/* --- files --- */

/* What there is of it, from `from` on; it stays where it stands. */
static enum path_kept read_file(struct feed *f, off_t size) {
  char some[65536];
  ssize_t n;
  if (size - f->from > (off_t)PATH_KEPT_MOST) return PATH_KEPT_LARGE;
  off_t at = f->from;
  for (; (n = pread(STDIN_FILENO, some, sizeof some, at)) > 0 && f->bytes.count <= PATH_KEPT_MOST; at += n)
    text_append(&f->bytes, some, (size_t)n);
  if (n >= 0 && f->bytes.count <= PATH_KEPT_MOST) return PATH_KEPT;
  text_clear(&f->bytes);
  return n < 0 ? PATH_KEPT_ROOM : PATH_KEPT_LARGE;
}

/* --- pipes --- */

static volatile sig_atomic_t stopped;
static void stop(int number) {
  (void)number;
  stopped = 1;
}

static bool hand_on(int to, const char *bytes, size_t n) {
  while (n > 0 && !stopped) {
    ssize_t done = write(to, bytes, n);
    if (done < 0 && errno != EINTR) return false;
    if (done > 0) bytes += done, n -= (size_t)done;
  }
  return n == 0;
}

/* What has come already, and then what comes. Bytes that were read are kept, also if the program does not want them any more: the next run
 * may. */
static void pump(struct feed *f, int to) {
  char some[65536];
  ssize_t n;
  off_t at = 0;
  bool wanted = true;
  for (; wanted && (n = pread(f->spool, some, sizeof some, at)) > 0; at += n) wanted = hand_on(to, some, (size_t)n);
  while (wanted && !stopped) {
    n = read(f->pipe, some, sizeof some);
    if (n == 0 || (n < 0 && errno != EINTR)) break;
    if (n < 0) continue;
    bool has_room = !f->shared->overflows && at + n <= (off_t)PATH_KEPT_MOST;
    if (has_room && pwrite(f->spool, some, (size_t)n, at) == n)
      at += n;
    else
      f->shared->overflows = true;
    wanted = hand_on(to, some, (size_t)n);
  }
}

/* Signals of the terminal are for the program; it may want to go on reading. If heddle is killed, so is this. */
static void run_pump(struct feed *f, int to) {
  static const int ignored[] = {SIGINT, SIGQUIT, SIGHUP, SIGPIPE};
  struct sigaction action = {.sa_handler = stop};
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
  sigaction(SIGTERM, &action, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  pump(f, to);
  _exit(0);
}

static enum err start_pump(struct feed *f, struct diag *d) {
  int ends[2];
  if (f->shared->overflows) {
    diag_hint(d, "a file can be given to each run anew: heddle record ... <FILE");
    return diag_set(d, ERR_UNSUPPORTED, "standard input cannot be given to another run: more than %u MB came through a pipe",
                    PATH_KEPT_MOST >> 20);
  }
  if (pipe2(ends, O_CLOEXEC) != 0) return failed_to("make a pipe", d);
  f->pump = fork();
  if (f->pump == 0) {
    close(ends[0]);
    run_pump(f, ends[1]);
  }
  enum err e = f->pump < 0 || dup2(ends[0], STDIN_FILENO) < 0 ? failed_to("start a process", d) : ERR_NONE;
  if (f->pump < 0) f->pump = 0;
  close(ends[0]), close(ends[1]);
  return e;
}

/* It may be about to read when it is told to end, so it is told until it has. */
static void end_pump(struct feed *f) {
  static const struct timespec while_ending = {.tv_nsec = 1000000};
  if (!f->pump) return;
  while (kill(f->pump, SIGTERM) == 0 && waitpid(f->pump, NULL, WNOHANG) == 0) nanosleep(&while_ending, NULL);
  f->pump = 0;
}

static enum err begin_pipe(struct feed *f, struct diag *d) {
  f->pipe = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  f->spool = memfd_create("input", MFD_CLOEXEC);
  void *shared = mmap(NULL, sizeof *f->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) f->shared = shared;
  return f->pipe >= 0 && f->spool >= 0 && f->shared ? ERR_NONE : failed_to("keep standard input", d);
}

/* --- all --- */

static bool is_null_device(const struct stat *s) { return S_ISCHR(s->st_mode) && s->st_rdev == makedev(1, 3); }

enum err feed_begin(struct feed *f, struct diag *d) {
  struct stat s;
  *f = (struct feed){.pipe = -1, .spool = -1, .from = -1};
  if (fstat(STDIN_FILENO, &s) != 0) return ERR_NONE;
  if (S_ISFIFO(s.st_mode)) return begin_pipe(f, d);
  f->from = S_ISREG(s.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
  f->kept = is_null_device(&s) ? PATH_KEPT : f->from >= 0 ? read_file(f, s.st_size) : PATH_KEPT_STREAM;
  return ERR_NONE;
}

enum err feed_start(struct feed *f, struct diag *d) {
  if (f->pipe >= 0) return start_pump(f, d);
  if (f->from >= 0) lseek(STDIN_FILENO, f->from, SEEK_SET);
  return ERR_NONE;
}

void feed_stop(struct feed *f) {
  end_pump(f);
  if (f->pipe < 0) return;
  dup2(f->pipe, STDIN_FILENO);
  f->kept = f->shared->overflows ? PATH_KEPT_LARGE : PATH_KEPT;
  text_clear(&f->bytes);
  if (f->kept == PATH_KEPT && !file_read_from(f->spool, &f->bytes)) f->kept = PATH_KEPT_ROOM;
}

/* One chunk with one piece. */
static bool write_piece(int fd, struct path_header *header, struct path_piece piece, const char *bytes) {
  char chunk[PATH_CHUNK] = {0};
  struct path_chunk head = {.thread = PATH_GIVEN};
  piece.room = (piece.bytes + 7u) & ~7u;
  memcpy(chunk, &head, sizeof head);
  memcpy(chunk + sizeof head, &piece, sizeof piece);
  if (piece.bytes) memcpy(chunk + sizeof head + sizeof piece, bytes, piece.bytes);
  if (header->chunks >= PATH_CHUNKS || pwrite(fd, chunk, sizeof chunk, ((off_t)header->chunks + 1) * PATH_CHUNK) != sizeof chunk)
    return false;
  header->chunks++;
  return true;
}

void feed_keep(struct feed *f, int fd, struct path_header *header) {
  size_t size = f->bytes.count;
  bool written = true;
  header->input = f->kept;
  if (f->kept != PATH_KEPT || size == 0) return;
  struct path_piece part = {.kind = PIECE_BYTES, .item = header->items++}, whole = part;
  for (; written && part.at < size; part.at += part.bytes) {
    part.bytes = size - part.at < PATH_PIECE_MOST ? (uint32_t)(size - part.at) : PATH_PIECE_MOST;
    written = write_piece(fd, header, part, f->bytes.data + part.at);
  }
  whole.kind = PIECE_INPUT, whole.kept = PATH_KEPT, whole.at = size;
  if (!written || !write_piece(fd, header, whole, NULL)) header->input = PATH_KEPT_ROOM;
}

void feed_release(struct feed *f) {
  end_pump(f);
  if (f->pipe >= 0) close(f->pipe);
  if (f->spool >= 0) close(f->spool);
  if (f->shared) munmap(f->shared, sizeof *f->shared);
  text_release(&f->bytes);
}
