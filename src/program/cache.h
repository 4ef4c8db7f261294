/* The cache of images and compiled sources: files named by a hash of all that went into them, so an entry is never wrong, only absent.
 *
 * $XDG_CACHE_HOME/heddle or ~/.cache/heddle; where that cannot be written, a folder of the user's own in $TMPDIR or /tmp. What is in it
 * decides verdicts, so it is the user's alone, whatever the umask is: another's folder is not used, and one that others can look into is
 * closed to them. What is damaged all the same, by a disk for example, has a checksum: entries are images (image.h) and bitcode
 * (kept_bitcode.h); of a changed list of dependencies no key leads to an entry.
 * Any number of processes may use it at once: entries appear by rename and are never changed. Old entries go when there are too many. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* 128 bits, order sensitive. Start from zero. */
struct cache_key {
  uint64_t a, b;
};

void cache_key_bytes(struct cache_key *k, const void *bytes, size_t n);
void cache_key_string(struct cache_key *k, const char *s);
/* Adds what identifies the version of a file that Heddle itself brought: path, size, time of change. */
void cache_key_identity(struct cache_key *k, const char *path);

struct cache {
  struct text folder;
};

/* ERR_FILE if no folder can be made. */
[[nodiscard]] enum err cache_open(struct cache *c, struct diag *d);
void cache_close(struct cache *c);
/* Appends the path of the entry `k` with the given extension ("hdi"). */
void cache_path(const struct cache *c, struct cache_key k, const char *extension, struct text *path);
/* The same, of a file that only this process uses until it renames it. */
void cache_temporary(const struct cache *c, struct cache_key k, const char *extension, struct text *path);
/* True if the entry exists; it then counts as used now. */
bool cache_has(const char *path);
/* Writes an entry. */
[[nodiscard]] enum err cache_put(const struct cache *c, struct cache_key k, const char *extension, const void *bytes, size_t n,
                                 struct diag *d);
/* Renames the finished `temporary` to `path`. */
[[nodiscard]] enum err cache_commit(const struct cache *c, const char *temporary, const char *path, struct diag *d);
