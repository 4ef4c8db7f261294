#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum err file_read(const char *path, struct text *out, struct diag *d) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return diag_set(d, ERR_FILE, "cannot open %s: %s", path, strerror(errno));
  char chunk[65536];
  ssize_t n;
  while ((n = read(fd, chunk, sizeof chunk)) > 0) text_append(out, chunk, (size_t)n);
  int failure = n < 0 ? errno : 0;
  close(fd);
  if (failure) return diag_set(d, ERR_FILE, "cannot read %s: %s", path, strerror(failure));
  return ERR_NONE;
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
