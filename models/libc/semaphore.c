/* Named semaphores, of this process alone. A name stands for one semaphore from its creation until it is unlinked; who has it open keeps
 * it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "internal.h"

struct named {
  sem_t semaphore; /* first: its address is what programs have */
  struct named *next;
  unsigned opens;
  bool linked;
  char name[];
};

static struct named *all;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;

static struct named *find(const char *name) {
  struct named *x = all;
  while (x && (!x->linked || hd_strcmp(x->name, name))) x = x->next;
  return x;
}

/* Nobody has it open and no name leads to it any more. */
static void drop_unused(struct named *x) {
  struct named **link = &all;
  if (x->linked || x->opens) return;
  while (*link != x) link = &(*link)->next;
  *link = x->next;
  sem_destroy(&x->semaphore);
  free(x);
}

static struct named *create(const char *name, unsigned value) {
  size_t n = hd_strlen(name);
  struct named *x = value > INT_MAX ? NULL : malloc(sizeof *x + n + 1);
  if (!x) return HD_ERRNO = value > INT_MAX ? EINVAL : ENOMEM, NULL;
  sem_init(&x->semaphore, 0, value);
  x->next = all, x->opens = 0, x->linked = true;
  __builtin_memcpy(x->name, name, n + 1);
  return all = x;
}

static struct named *open_locked(const char *name, int flags, unsigned value) {
  struct named *x = find(name);
  if (x && flags & O_CREAT && flags & O_EXCL) return HD_ERRNO = EEXIST, NULL;
  if (!x && !(flags & O_CREAT)) return HD_ERRNO = ENOENT, NULL;
  if (!x) x = create(name, value);
  if (x) x->opens++;
  return x;
}

sem_t *sem_open(const char *name, int flags, ...) {
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list list;
    va_start(list, flags);
    (void)va_arg(list, mode_t);
    value = va_arg(list, unsigned);
    va_end(list);
  }
  pthread_mutex_lock(&all_lock);
  struct named *x = open_locked(name, flags, value);
  pthread_mutex_unlock(&all_lock);
  return x ? &x->semaphore : SEM_FAILED;
}

int sem_close(sem_t *semaphore) {
  pthread_mutex_lock(&all_lock);
  struct named *x = all;
  while (x && &x->semaphore != semaphore) x = x->next;
  if (x && x->opens)
    x->opens--, drop_unused(x);
  else
    x = NULL, HD_ERRNO = EINVAL;
  pthread_mutex_unlock(&all_lock);
  return x ? 0 : -1;
}

int sem_unlink(const char *name) {
  pthread_mutex_lock(&all_lock);
  struct named *x = find(name);
  if (x)
    x->linked = false, drop_unused(x);
  else
    HD_ERRNO = ENOENT;
  pthread_mutex_unlock(&all_lock);
  return x ? 0 : -1;
}
