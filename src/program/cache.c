#include "program/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"

/* Above either limit, the entries used longest ago go, down to half of it. */
enum { LIMIT_ENTRIES = 2000 };
#define LIMIT_BYTES (1ull << 30)
/* A temporary file this old belongs to nobody. */
enum { STALE_SECONDS = 3600 };

void cache_key_bytes(struct cache_key *k, const void *bytes, size_t n) {
  k->a = hash_bytes(bytes, n, k->a);
  k->b = hash_bytes(bytes, n, k->b ^ 0x6a09e667f3bcc908u);
}

void cache_key_string(struct cache_key *k, const char *s) { cache_key_bytes(k, s, strlen(s)); }

void cache_key_identity(struct cache_key *k, const char *path) {
  struct stat s;
  cache_key_string(k, path);
  if (stat(path, &s) != 0) return;
  const int64_t identity[] = {(int64_t)s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
  cache_key_bytes(k, identity, sizeof identity);
}

/* Is the folder ours? Then it is closed to others. One that was open for writing may hold what they wrote: `strict` refuses it. */
static bool close_folder(const char *path, bool strict) {
  struct stat s;
  if ((strict ? lstat(path, &s) : stat(path, &s)) != 0 || !S_ISDIR(s.st_mode) || s.st_uid != geteuid()) return false;
  if (strict && (s.st_mode & 022)) return false;
  return (s.st_mode & 0777) == 0700 || chmod(path, 0700) == 0;
}

/* Makes `path` and the folders above it. */
static bool make_folders(const char *path) {
  struct text part = {0};
  for (const char *p = path + 1;; p++) {
    if (*p && *p != '/') continue;
    text_clear(&part);
    text_append(&part, path, (size_t)(p - path));
    mkdir(text_str(&part), 0700);
    if (!*p) break;
  }
  text_release(&part);
  return close_folder(path, false) && access(path, W_OK | X_OK) == 0;
}

/* In a folder that everybody may write to, ours must be ours alone. */
static bool private_folder(const char *path) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  return close_folder(path, true);
}

enum err cache_open(struct cache *c, struct diag *d) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *tmp = getenv("TMPDIR");
  text_clear(&c->folder);
  if (xdg && xdg[0] == '/') {
    text_printf(&c->folder, "%s/heddle", xdg);
  } else if (home && home[0] == '/') {
    text_printf(&c->folder, "%s/.cache/heddle", home);
  }
  if (c->folder.count && make_folders(text_str(&c->folder))) return ERR_NONE;
  text_clear(&c->folder);
  text_printf(&c->folder, "%s/heddle-%ld", tmp && *tmp ? tmp : "/tmp", (long)geteuid());
  if (private_folder(text_str(&c->folder))) return ERR_NONE;
  diag_hint(d, "set XDG_CACHE_HOME or TMPDIR to a folder that can be written");
  return diag_set(d, ERR_FILE, "cannot use %s as a cache folder", text_str(&c->folder));
}

void cache_close(struct cache *c) { text_release(&c->folder); }

void cache_path(const struct cache *c, struct cache_key k, const char *extension, struct text *path) {
  text_printf(path, "%s/%016lx%016lx.%s", text_str(&c->folder), k.a, k.b, extension);
}

void cache_temporary(const struct cache *c, struct cache_key k, const char *extension, struct text *path) {
  static unsigned count; /* one thread opens programs */
  text_printf(path, "%s/%016lx%016lx.tmp.%ld.%u.%s", text_str(&c->folder), k.a, k.b, (long)getpid(), count++, extension);
}

bool cache_has(const char *path) { return access(path, R_OK) == 0 && (utimensat(AT_FDCWD, path, NULL, 0), true); }

struct entry {
  char name[128];
  int64_t used, bytes;
};

static int older_first(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return (x->used > y->used) - (x->used < y->used);
}

/* Drops what was used longest ago. Races with other processes are harmless: an open file stays readable, an absent one is made again. */
static void trim(const struct cache *c) {
  DIR *folder = opendir(text_str(&c->folder));
  if (!folder) return;
  VEC(struct entry) entries = {0};
  uint64_t bytes = 0;
  int64_t now = (int64_t)time(NULL);
  for (struct dirent *e; (e = readdir(folder));) {
    struct stat s;
    if (strlen(e->d_name) >= sizeof((struct entry *)0)->name) continue;
    if (fstatat(dirfd(folder), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode)) continue;
    if (strstr(e->d_name, ".tmp.")) {
      if (now - s.st_mtime > STALE_SECONDS) unlinkat(dirfd(folder), e->d_name, 0);
      continue;
    }
    struct entry *entry = vec_push(&entries);
    strcpy(entry->name, e->d_name);
    entry->used = s.st_mtime, entry->bytes = s.st_size, bytes += (uint64_t)s.st_size;
  }
  if (entries.count > LIMIT_ENTRIES || bytes > LIMIT_BYTES) {
    qsort(entries.data, entries.count, sizeof *entries.data, older_first);
    size_t left = entries.count;
    for (size_t i = 0; i < entries.count && (left > LIMIT_ENTRIES / 2 || bytes > LIMIT_BYTES / 2); i++, left--) {
      unlinkat(dirfd(folder), entries.data[i].name, 0);
      bytes -= (uint64_t)entries.data[i].bytes;
    }
  }
  vec_release(&entries);
  closedir(folder);
}

enum err cache_commit(const struct cache *c, const char *temporary, const char *path, struct diag *d) {
  if (rename(temporary, path) != 0) {
    int failure = errno;
    unlink(temporary);
    return diag_set(d, ERR_FILE, "cannot write %s: %s", path, strerror(failure));
  }
  trim(c);
  return ERR_NONE;
}

enum err cache_put(const struct cache *c, struct cache_key k, const char *extension, const void *bytes, size_t n, struct diag *d) {
  struct text temporary = {0}, path = {0};
  cache_temporary(c, k, extension, &temporary);
  cache_path(c, k, extension, &path);
  FILE *f = fopen(text_str(&temporary), "wbxe"); /* not file_write(), which syncs: what a crash leaves, its reader notices */
  bool ok = f && fwrite(bytes, 1, n, f) == n;
  int failure = errno;
  if (f && fclose(f) != 0) ok = false, failure = errno;
  enum err e = ok ? cache_commit(c, text_str(&temporary), text_str(&path), d)
                  : diag_set(d, ERR_FILE, "cannot write %s: %s", text_str(&temporary), strerror(failure));
  if (!ok && f) unlink(text_str(&temporary));
  text_release(&temporary);
  text_release(&path);
  return e;
}
