#include "report/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report/module.h"

enum { KEPT = 512, FAR = 1000 /* out of the way of programs that count on low numbers */ };
static struct {
  const char *path;
  int fd;
  dev_t device; /* the program may have closed it, and have another in its place */
  ino_t inode;
} kept[KEPT];
static unsigned count;

static int open_it(const char *path) { return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC); }

int file_open(const char *path) {
  struct stat about;
  int fd = open_it(path), saved = errno;
  for (unsigned i = 0; i < count && fd < 0; i++)
    if (rt_equal(kept[i].path, path) && fstat(kept[i].fd, &about) == 0 && about.st_dev == kept[i].device && about.st_ino == kept[i].inode)
      fd = (int)syscall(SYS_fcntl, kept[i].fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) errno = saved;
  return fd;
}

static void keep(const char *path) {
  struct stat about;
  for (unsigned i = 0; i < count; i++)
    if (rt_equal(kept[i].path, path)) return;
  int fd = count < KEPT ? open_it(path) : -1;
  int far = fd < 0 ? -1 : (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FAR);
  if (fd >= 0) syscall(SYS_close, fd);
  if (far >= 0 && fstat(far, &about) == 0) {
    kept[count].path = path, kept[count].fd = far, kept[count].device = about.st_dev, kept[count].inode = about.st_ino;
    count++;
  }
}

void files_keep(void) {
  modules_renew();
  keep("/proc/thread-self/maps");
  keep("/proc/thread-self/mem");
  keep("/proc/thread-self/exe");
  modules_each(keep);
}

/* What libbacktrace opens its files by (--wrap). */
int __wrap_backtrace_open(const char *path, void (*error)(void *, const char *, int), void *data, int *missing);
int __wrap_backtrace_open(const char *path, void (*error)(void *, const char *, int), void *data, int *missing) {
  int fd = file_open(path);
  if (missing) *missing = fd < 0 && errno == ENOENT;
  if (fd < 0 && !(missing && *missing)) error(data, path, errno);
  return fd;
}
