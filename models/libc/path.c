/* What programs do with files by name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "files.h"

static struct hd_node *find_locked(const char *path) {
  pthread_mutex_lock(&__hd_files_lock);
  return __hd_node_find(path);
}

static int done(int result) {
  pthread_mutex_unlock(&__hd_files_lock);
  return result;
}

static int refuse(int number) {
  HD_ERRNO = number;
  return -1;
}

static int stat_path(const char *path, struct stat *to) {
  struct hd_node *node = find_locked(path);
  if (node) __hd_node_stat(node, to);
  return done(node ? 0 : -1);
}

static void only_here(int folder, const char *path, const char *function) {
  if (folder != AT_FDCWD && *path != '/') __hd_unsupported(function, "names relative to an open directory are not modelled");
}

int stat(const char *restrict path, struct stat *restrict to) { return stat_path(path, to); }
int lstat(const char *restrict path, struct stat *restrict to) { return stat_path(path, to); }
int stat64(const char *restrict path, struct stat64 *restrict to) { return stat_path(path, (struct stat *)to); }
int lstat64(const char *restrict path, struct stat64 *restrict to) { return stat_path(path, (struct stat *)to); }
int __xstat(int version, const char *path, struct stat *to);
int __xstat(int version, const char *path, struct stat *to) { return (void)version, stat_path(path, to); }
int __lxstat(int version, const char *path, struct stat *to);
int __lxstat(int version, const char *path, struct stat *to) { return (void)version, stat_path(path, to); }

int fstatat(int folder, const char *restrict path, struct stat *restrict to, int flags) {
  if (flags & AT_EMPTY_PATH && !*path) return fstat(folder, to);
  only_here(folder, path, "fstatat");
  return stat_path(path, to);
}

int access(const char *path, int mode) {
  struct hd_node *node = find_locked(path);
  bool allowed = node && (!(mode & X_OK) || node->directory || node->mode & 0111);
  if (node && !allowed) HD_ERRNO = EACCES;
  return done(allowed ? 0 : -1);
}

int euidaccess(const char *path, int mode) { return access(path, mode); }
int eaccess(const char *path, int mode) { return access(path, mode); }

int faccessat(int folder, const char *path, int mode, int flags) {
  (void)flags;
  only_here(folder, path, "faccessat");
  return access(path, mode);
}

static int remove_path(const char *path, bool files, bool directories) {
  struct hd_node *node = find_locked(path);
  if (!node) return done(-1);
  if (node->directory && !directories) return done(refuse(EISDIR));
  if (!node->directory && !files) return done(refuse(ENOTDIR));
  __hd_node_remove(node);
  return done(0);
}

int unlink(const char *path) { return remove_path(path, true, false); }
int rmdir(const char *path) { return remove_path(path, false, true); }
int remove(const char *path) { return remove_path(path, true, true); }

int unlinkat(int folder, const char *path, int flags) {
  only_here(folder, path, "unlinkat");
  return remove_path(path, !(flags & AT_REMOVEDIR), flags & AT_REMOVEDIR);
}

static int rename_locked(const char *from, const char *to) {
  struct hd_node *node = __hd_node_find(from);
  if (!node) return -1;
  int saved = HD_ERRNO;
  struct hd_node *target = __hd_node_find(to);
  HD_ERRNO = saved;
  if (target == node) return 0;
  if (target && target->directory != node->directory) return refuse(node->directory ? ENOTDIR : EISDIR);
  /* A fresh node takes the new name; the old one's bytes move there, so that a host file's name is covered as by unlink. */
  if (target) __hd_node_remove(target);
  struct hd_node *moved = __hd_node_open(to, O_CREAT | O_RDWR, node->mode);
  if (!moved) return -1;
  if (node->opens) __hd_unsupported("rename", "renaming a file that is open is not modelled");
  moved->directory = node->directory;
  moved->size = node->size;
  moved->host = node->host;
  moved->bytes = node->bytes;
  moved->capacity = node->capacity;
  node->bytes = NULL;
  node->size = node->capacity = 0;
  __hd_node_remove(node);
  return 0;
}

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&__hd_files_lock);
  return done(rename_locked(from, to));
}

int mkdir(const char *path, mode_t mode) {
  int saved = HD_ERRNO;
  struct hd_node *node = find_locked(path);
  if (node) return done(refuse(EEXIST));
  HD_ERRNO = saved;
  return done(__hd_node_new(path, mode, true) ? 0 : -1);
}

int truncate(const char *path, off_t size) {
  struct hd_node *node = find_locked(path);
  if (node && node->directory) return done(refuse(EISDIR));
  return done(node && size >= 0 ? __hd_node_resize(node, (size_t)size) : -1);
}

static int mode_path(const char *path, mode_t mode, bool set) {
  struct hd_node *node = find_locked(path);
  if (node && set) node->mode = mode & 07777;
  return done(node ? 0 : -1);
}

int chmod(const char *path, mode_t mode) { return mode_path(path, mode, true); }
int chown(const char *path, uid_t owner, gid_t group) { return (void)owner, (void)group, mode_path(path, 0, false); }
int utime(const char *path, const struct utimbuf *times) { return (void)times, mode_path(path, 0, false); }
int lchown(const char *path, uid_t owner, gid_t group) { return chown(path, owner, group); }
int utimes(const char *path, const struct timeval times[2]) { return (void)times, mode_path(path, 0, false); }
int lutimes(const char *path, const struct timeval times[2]) { return (void)times, mode_path(path, 0, false); }
int futimes(int fd, const struct timeval times[2]) { return (void)fd, (void)times, 0; }
int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  (void)times, (void)flags;
  only_here(folder, path, "utimensat");
  return mode_path(path, 0, false);
}
int futimens(int fd, const struct timespec times[2]) { return (void)fd, (void)times, 0; }
mode_t umask(mode_t mode) { return (void)mode, 022; }

/* There are no links: a path is real if it exists. */
ssize_t readlink(const char *restrict path, char *restrict to, size_t size) {
  (void)to, (void)size;
  struct hd_node *node = find_locked(path);
  return done(node ? refuse(EINVAL) : -1);
}

char *realpath(const char *restrict path, char *restrict to) {
  struct hd_node *node = find_locked(path);
  char *result = NULL;
  if (node) {
    size_t n = hd_strlen(node->path), root = node->path[0] != '/';
    result = to ? to : malloc(n + root + 1);
    if (result) {
      if (root) result[0] = '/';
      __builtin_memcpy(result + root, node->path, n + 1);
      if (root && !hd_strcmp(node->path, ".")) result[1] = 0;
    }
  }
  done(0);
  return result;
}

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

char *getcwd(char *to, size_t size) {
  if (to && size < 2) return HD_ERRNO = size ? ERANGE : EINVAL, NULL;
  if (!to) to = malloc(size < 2 ? 2 : size);
  if (!to) return NULL;
  to[0] = '/';
  to[1] = 0;
  return to;
}

int chdir(const char *path) {
  if (!hd_strcmp(path, "/") || !hd_strcmp(path, ".")) return 0;
  __hd_unsupported("chdir", "the working directory is fixed");
}

/* A name that is not taken: the six X become a number. */
static int make_temporary(char *name, int suffix, int flags, bool directory) {
  size_t n = hd_strlen(name);
  if (suffix < 0 || n < 6 + (size_t)suffix || hd_strncmp(name + n - 6 - suffix, "XXXXXX", 6)) return refuse(EINVAL);
  char *digits = name + n - 6 - suffix;
  int saved = HD_ERRNO;
  for (unsigned i = 0; i < 1000000; i++) {
    unsigned rest = i;
    for (int k = 6; k--; rest /= 10) digits[k] = (char)('0' + rest % 10);
    extern int __open(const char *path, int flags, ...);
    int fd = directory ? mkdir(name, 0700) : __open(name, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0 || HD_ERRNO != EEXIST) {
      if (fd >= 0) HD_ERRNO = saved;
      return fd;
    }
  }
  return refuse(EEXIST);
}

int mkstemp(char *name) { return make_temporary(name, 0, 0, false); }
int mkstemp64(char *name) { return make_temporary(name, 0, 0, false); }
int mkostemp(char *name, int flags) { return make_temporary(name, 0, flags & (O_APPEND | O_CLOEXEC), false); }
int mkstemps(char *name, int suffix) { return make_temporary(name, suffix, 0, false); }
char *mkdtemp(char *name) { return make_temporary(name, 0, 0, true) < 0 ? NULL : name; }

#define REFUSED(type, name, parameters, why) \
  type name parameters { __hd_unsupported(#name, why); }

#pragma clang diagnostic ignored "-Wunused-parameter"
REFUSED(DIR *, opendir, (const char *path), "listing directories is not modelled")
REFUSED(struct dirent *, readdir, (DIR * folder), "listing directories is not modelled")
REFUSED(int, closedir, (DIR * folder), "listing directories is not modelled")
REFUSED(int, link, (const char *from, const char *to), "links are not modelled")
REFUSED(int, symlink, (const char *from, const char *to), "links are not modelled")
REFUSED(int, mkfifo, (const char *path, mode_t mode), "named pipes are not modelled")
