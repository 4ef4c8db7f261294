#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const struct {
  size_t most;
  bool stream;
} kinds[] = {
#define X(name, most, stream) [FILE_##name] = {most, stream},
    FILE_KIND_LIST(X)
#undef X
};

static bool is_null_device(const struct stat *s) { return S_ISCHR(s->st_mode) && s->st_rdev == makedev(1, 3); }

static enum err too_large(const char *path, enum file_kind kind, struct diag *d) {
  return diag_set(d, ERR_FILE, "%s is too large: it has more than %zu MB", path, kinds[kind].most >> 20);
}

static enum err check(const char *path, enum file_kind kind, const struct stat *s, struct diag *d) {
  if (S_ISREG(s->st_mode)) return (size_t)s->st_size > kinds[kind].most ? too_large(path, kind, d) : ERR_NONE;
  if (is_null_device(s)) return ERR_NONE;
  if (S_ISDIR(s->st_mode)) return diag_set(d, ERR_FILE, "%s is a folder, not a file", path);
  if (kinds[kind].stream && !S_ISBLK(s->st_mode)) return ERR_NONE;
  return diag_set(d, ERR_FILE, "%s is %s, not a file", path,
                  S_ISFIFO(s->st_mode)   ? "a pipe"
                  : S_ISSOCK(s->st_mode) ? "a socket"
                                         : "a device");
}

enum err file_make_folder(const char *what, struct text *path, struct diag *d) {
  const char *tmp = getenv("TMPDIR");
  struct text name = {0};
  text_printf(&name, "%s/heddle-%s-XXXXXX", tmp && *tmp ? tmp : "/tmp", what);
  bool made = mkdtemp(name.data) != NULL;
  enum err e = made ? ERR_NONE : diag_set(d, ERR_FILE, "cannot make %s: %s", text_str(&name), strerror(errno));
  if (made) text_puts(path, text_str(&name));
  text_release(&name);
  return e;
}

const char *file_last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

enum err file_check(const char *path, enum file_kind kind, struct diag *d) {
  struct stat s;
  if (stat(path, &s) != 0) return diag_set(d, ERR_FILE, "cannot open %s: %s", path, strerror(errno));
  return check(path, kind, &s, d);
}

/* Opening some devices does something, and opening a pipe waits: so it is looked at first, and then at what was opened. */
enum err file_open(const char *path, enum file_kind kind, int *fd, size_t *size, struct diag *d) {
  struct stat s;
  enum err e = file_check(path, kind, d);
  if (e) return e;
  *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (kinds[kind].stream ? 0 : O_NONBLOCK));
  if (*fd < 0) return diag_set(d, ERR_FILE, "cannot open %s: %s", path, strerror(errno));
  e = fstat(*fd, &s) == 0 ? check(path, kind, &s, d) : diag_set(d, ERR_FILE, "cannot open %s: %s", path, strerror(errno));
  if (e) close(*fd);
  *size = S_ISREG(s.st_mode) ? (size_t)s.st_size : 0;
  return e;
}

/* Reads up to `n` bytes; fewer at the end, -1 and errno if it cannot. */
static ssize_t read_up_to(int fd, char *to, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t k = read(fd, to + done, n - done);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return -1;
    if (k == 0) break;
    done += (size_t)k;
  }
  return (ssize_t)done;
}

enum err file_read(const char *path, enum file_kind kind, struct text *out, struct diag *d) {
  int fd;
  size_t size, total = 0;
  enum err e = file_open(path, kind, &fd, &size, d);
  if (e) return e;
  char chunk[65536];
  ssize_t n;
  while ((n = read_up_to(fd, chunk, sizeof chunk)) > 0 && (total += (size_t)n) <= kinds[kind].most) text_append(out, chunk, (size_t)n);
  if (n < 0) e = diag_set(d, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  if (n > 0) e = too_large(path, kind, d);
  close(fd);
  return e;
}

enum err file_start(const char *path, enum file_kind kind, char *to, size_t n, size_t *got, struct diag *d) {
  int fd;
  size_t size;
  enum err e = file_open(path, kind, &fd, &size, d);
  if (e) return e;
  ssize_t k = read_up_to(fd, to, n);
  if (k < 0) e = diag_set(d, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  *got = k < 0 ? 0 : (size_t)k;
  close(fd);
  return e;
}

bool file_read_from(int fd, struct text *out) {
  char chunk[65536];
  ssize_t n;
  off_t at = 0;
  while ((n = pread(fd, chunk, sizeof chunk, at)) > 0) text_append(out, chunk, (size_t)n), at += n;
  return n == 0;
}

int file_in_memory(const char *name, const void *bytes, size_t n) {
  int fd = memfd_create(name, 0);
  for (size_t done = 0; fd >= 0 && done < n;) {
    ssize_t wrote = pwrite(fd, (const char *)bytes + done, n - done, (off_t)done);
    if (wrote < 0) return close(fd), -1;
    done += (size_t)wrote;
  }
  return fd;
}

static int write_all(int fd, const char *p, size_t n) {
  while (n > 0) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return errno;
    p += k, n -= (size_t)k;
  }
  return fsync(fd) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

enum err file_write(const char *path, const void *bytes, size_t n, struct diag *d) {
  struct text temporary = {0};
  text_printf(&temporary, "%s.tmp.%ld", path, (long)getpid());
  int failure = 0;
  int fd = open(text_str(&temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    failure = errno;
  } else {
    failure = write_all(fd, bytes, n);
    if (close(fd) != 0 && !failure) failure = errno;
    if (!failure && rename(text_str(&temporary), path) != 0) failure = errno;
    if (failure) unlink(text_str(&temporary));
  }
  text_release(&temporary);
  return failure ? diag_set(d, ERR_FILE, "cannot write %s: %s", path, strerror(failure)) : ERR_NONE;
}
