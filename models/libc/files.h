/* The files of one execution: those of the host that the machine shows, read-only, and those that the program makes, in memory.
 *
 * Invariants:
 *   1. __hd_files_lock guards everything below but the fast path of writing to standard output and error (descriptor.c).
 *   2. A host file that the program opens for writing is copied into memory first: the host is never changed.
 *   3. A node lives as long as it has a name or is open. */
#pragma once
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "internal.h"

struct hd_node {
  char *path; /* NULL: removed, but still open */
  unsigned char *bytes;
  size_t size, capacity;
  int host; /* handle of the host's file while its bytes are the host's; -1: bytes are in memory */
  bool directory;
  bool hidden; /* a host file that the program has removed */
  unsigned mode;
  unsigned opens;
  unsigned long number; /* st_ino */
  struct hd_node *next;
};

extern pthread_mutex_t __hd_files_lock;

/* All of these are called with the lock held. They return NULL or a negative number with errno set on failure. */
struct hd_node *__hd_node_find(const char *path);
/* As open(2) does it with these flags. Counts no opening. */
struct hd_node *__hd_node_open(const char *path, int flags, unsigned mode);
struct hd_node *__hd_node_new(const char *path, unsigned mode, bool directory);
/* Takes the name away; the node goes when it is not open. */
void __hd_node_remove(struct hd_node *node);
void __hd_node_close(struct hd_node *node);
size_t __hd_node_read(struct hd_node *node, size_t offset, void *to, size_t n);
ssize_t __hd_node_write(struct hd_node *node, size_t offset, const void *from, size_t n);
int __hd_node_resize(struct hd_node *node, size_t size);
void __hd_node_stat(const struct hd_node *node, struct stat *to);

/* Deterministic bytes: random.c. */
void __hd_random_bytes(void *to, size_t n);
