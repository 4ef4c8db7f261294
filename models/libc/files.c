/* The in-memory file system: names and bytes. See files.h. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

pthread_mutex_t __hd_files_lock = PTHREAD_MUTEX_INITIALIZER;

static struct hd_node *nodes;
static unsigned long last_number = 100;

/* "./a//b/" names what "a/b" names. */
static char *normalise(const char *path) {
  char *copy = malloc(hd_strlen(path) + 2), *to = copy;
  if (!copy) return NULL;
  while (path[0] == '.' && path[1] == '/') {
    path += 2;
    while (*path == '/') path++;
  }
  for (; *path; path++) {
    if (path[0] == '/' && path[1] == '/') continue;
    if (path[0] == '/' && path[1] == '.' && (path[2] == '/' || !path[2])) {
      path++;
      continue;
    }
    *to++ = *path;
  }
  if (to > copy + 1 && to[-1] == '/') to--;
  if (to == copy) *to++ = '.';
  *to = 0;
  return copy;
}

static struct hd_node *node_add(char *path, unsigned mode, bool directory) {
  struct hd_node *node = path ? calloc(1, sizeof *node) : NULL;
  if (!node) {
    free(path);
    HD_ERRNO = ENOMEM;
    return NULL;
  }
  *node = (struct hd_node){.path = path, .host = -1, .directory = directory, .mode = mode & 07777, .number = ++last_number, .next = nodes};
  nodes = node;
  return node;
}

struct hd_node *__hd_node_new(const char *path, unsigned mode, bool directory) {
  return node_add(normalise(path), mode, directory);
}

static bool is_standard_directory(const char *path) {
  static const char *const names[] = {".", "..", "/", "/tmp", "/dev"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!hd_strcmp(path, names[i])) return true;
  return false;
}

/* The node of a name, also if it is hidden. */
static struct hd_node *lookup(const char *path) {
  char *name = normalise(path);
  if (!name) return HD_ERRNO = ENOMEM, NULL;
  for (struct hd_node *node = nodes; node; node = node->next)
    if (node->path && !hd_strcmp(node->path, name)) {
      free(name);
      return node;
    }
  if (is_standard_directory(name)) return node_add(name, 0755, true);
  int host = __hd_file_open(path);
  if (host < 0) {
    free(name);
    HD_ERRNO = ENOENT;
    return NULL;
  }
  struct hd_node *node = node_add(name, 0644, false);
  if (!node) return NULL;
  node->host = host;
  node->size = (size_t)__hd_file_size(host);
  return node;
}

struct hd_node *__hd_node_find(const char *path) {
  if (!*path) return HD_ERRNO = ENOENT, NULL;
  struct hd_node *node = lookup(path);
  if (node && node->hidden) return HD_ERRNO = ENOENT, NULL;
  return node;
}

/* Makes the bytes the program's own. */
static bool node_own(struct hd_node *node) {
  if (node->host < 0) return true;
  unsigned char *bytes = malloc(node->size + 1);
  if (!bytes) return HD_ERRNO = ENOMEM, false;
  node->size = __hd_node_read(node, 0, bytes, node->size);
  node->bytes = bytes;
  node->capacity = node->size + 1;
  node->host = -1;
  return true;
}

static void node_empty(struct hd_node *node) {
  free(node->bytes);
  node->bytes = NULL;
  node->size = node->capacity = 0;
  node->host = -1;
}

struct hd_node *__hd_node_open(const char *path, int flags, unsigned mode) {
  if (!*path) return HD_ERRNO = ENOENT, NULL;
  struct hd_node *node = lookup(path);
  bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (node && !node->hidden) {
    if (flags & O_CREAT && flags & O_EXCL) return HD_ERRNO = EEXIST, NULL;
    if (node->directory && (writes || flags & O_TRUNC)) return HD_ERRNO = EISDIR, NULL;
    if (!node->directory && flags & O_DIRECTORY) return HD_ERRNO = ENOTDIR, NULL;
    if (flags & O_TRUNC && writes)
      node_empty(node);
    else if (writes && !node_own(node))
      return NULL;
    return node;
  }
  if (!(flags & O_CREAT)) return HD_ERRNO = ENOENT, NULL;
  if (!node) return __hd_node_new(path, mode, false);
  node_empty(node);
  node->hidden = false;
  node->mode = mode & 07777;
  return node;
}

static void node_drop(struct hd_node *node) {
  for (struct hd_node **at = &nodes; *at; at = &(*at)->next)
    if (*at == node) {
      *at = node->next;
      break;
    }
  free(node->bytes);
  free(node);
}

void __hd_node_remove(struct hd_node *node) {
  int host = __hd_file_open(node->path);
  if (host >= 0) { /* its name must stay, hidden, or the host's file would show again */
    struct hd_node *cover = node_add(node->path, 0, false);
    if (cover) cover->hidden = true;
  } else {
    free(node->path);
  }
  node->path = NULL;
  if (!node->opens) node_drop(node);
}

void __hd_node_close(struct hd_node *node) {
  if (!--node->opens && !node->path) node_drop(node);
}

size_t __hd_node_read(struct hd_node *node, size_t offset, void *to, size_t n) {
  if (offset >= node->size) return 0;
  if (n > node->size - offset) n = node->size - offset;
  if (node->host < 0) {
    __builtin_memcpy(to, node->bytes + offset, n);
    return n;
  }
  char piece[512]; /* the program's memory is written as the program writes: internal.h, 1 */
  size_t done = 0;
  while (done < n) {
    long part = __hd_file_read(node->host, offset + done, piece, n - done < sizeof piece ? n - done : sizeof piece);
    if (part <= 0) break;
    __builtin_memcpy((char *)to + done, piece, (size_t)part);
    done += (size_t)part;
  }
  return done;
}

int __hd_node_resize(struct hd_node *node, size_t size) {
  if (!node_own(node)) return -1;
  if (size > node->capacity) {
    size_t capacity = size < 2 * node->capacity ? 2 * node->capacity : size;
    unsigned char *bytes = size > (size_t)INTPTR_MAX / 4 ? NULL : realloc(node->bytes, capacity);
    if (!bytes) return HD_ERRNO = ENOSPC, -1;
    node->bytes = bytes;
    node->capacity = capacity;
  }
  if (size > node->size) __builtin_memset(node->bytes + node->size, 0, size - node->size);
  node->size = size;
  return 0;
}

ssize_t __hd_node_write(struct hd_node *node, size_t offset, const void *from, size_t n) {
  if (offset + n > node->size && __hd_node_resize(node, offset + n)) return -1;
  __builtin_memcpy(node->bytes + offset, from, n);
  return (ssize_t)n;
}

void __hd_node_stat(const struct hd_node *node, struct stat *to) {
  *to = (struct stat){.st_dev = 1,
                      .st_ino = node->number,
                      .st_mode = node->mode | (node->directory ? S_IFDIR : S_IFREG),
                      .st_nlink = 1,
                      .st_uid = 1000,
                      .st_gid = 1000,
                      .st_size = (off_t)node->size,
                      .st_blksize = 4096,
                      .st_blocks = (blkcnt_t)((node->size + 511) / 512)};
}
