#include "intercept/channel.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/section.h"
#include "base/hash.h"
#include "record/record.h"

static char channels[CHANNELS + 1]; /* stand for them; the last one for those that nobody can tell apart */

/* --- which one it is --- */

/* Numbers by what is known of them, + 1. What has no place here any more, or whose inode is used again, may be taken for another one. */
enum { TABLE = 1 << 12, TRIES = 8 };
static struct { uint64_t key, number; } known[TABLE];

static uint64_t *number_at(uint64_t key) {
  for (uint64_t i = hash_mix(key), n = 0; n < TRIES; i++, n++) {
    uint64_t there = 0;
    if (__atomic_load_n(&known[i % TABLE].key, __ATOMIC_RELAXED) == key ||
        __atomic_compare_exchange_n(&known[i % TABLE].key, &there, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || there == key)
      return &known[i % TABLE].number;
  }
  return NULL;
}

/* The number of that key, which is `number` if it has none yet. */
static uint32_t number_of(uint64_t key, uint32_t number) {
  uint64_t *at = number_at(key ? key : 1), none = 0;
  if (!at) return (uint32_t)(hash_mix(key) % CHANNELS);
  if (__atomic_compare_exchange_n(at, &none, number + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return number;
  return (uint32_t)none - 1;
}

static uint64_t hash_address(const struct sockaddr_in6 *a) {
  if (a->sin6_family == AF_INET6) {
    uint64_t half[2];
    __builtin_memcpy(half, &a->sin6_addr, sizeof half);
    if (IN6_IS_ADDR_V4MAPPED(&a->sin6_addr)) return hash_pair(half[1] >> 32, a->sin6_port); /* as the other end may have it */
    return hash_pair(hash_pair(half[0], half[1]), a->sin6_port);
  }
  const struct sockaddr_in *b = (const void *)a;
  return hash_pair(b->sin_addr.s_addr, b->sin_port);
}

/* Both ends of a connection have the same two addresses, the other way round. 0: it is none, or its ends cannot be told. `internet`: it
 * has such addresses, if not now, then when it is connected. */
static uint64_t connection_of(int fd, bool *internet) {
  struct sockaddr_in6 here = {0}, there = {0};
  socklen_t n = sizeof here, m = sizeof there;
  bool named = NEXT(getsockname)(fd, (struct sockaddr *)&here, &n) == 0;
  *internet = named && (here.sin6_family == AF_INET || here.sin6_family == AF_INET6);
  if (!*internet || NEXT(getpeername)(fd, (struct sockaddr *)&there, &m) != 0) return 0;
  return hash_address(&here) ^ hash_address(&there);
}

static bool status(int fd, struct stat *s) {
  return NEXT(fstat)(fd, s) == 0 && !S_ISREG(s->st_mode) && !S_ISDIR(s->st_mode) && !S_ISCHR(s->st_mode) && !S_ISBLK(s->st_mode);
}

static uint64_t key_of(int fd, const struct stat *s) {
  bool nameless = !S_ISFIFO(s->st_mode) && !S_ISSOCK(s->st_mode); /* event descriptors and so on have one inode for all */
  return hash_pair(hash_pair(s->st_dev, s->st_ino), nameless ? (uint64_t)fd + 1 : 0);
}

static uint32_t find(int fd, const struct stat *s) {
  uint32_t number = channel_of_number(fd);
  uint64_t key = key_of(fd, s), *at = number_at(key), had = at ? __atomic_load_n(at, __ATOMIC_RELAXED) : 0;
  if (had) return (uint32_t)had - 1;
  bool internet = false;
  uint64_t connection = S_ISSOCK(s->st_mode) ? connection_of(fd, &internet) : 0;
  if (internet && !connection) return number; /* it may be connected yet */
  return number_of(key, connection ? number_of(connection, number) : number);
}

uint32_t channel_of(int fd) {
  struct stat s;
  int saved = errno;
  uint32_t number = !status(fd, &s) ? (uint32_t)CHANNEL_NONE : recording ? find(fd, &s) : 0;
  errno = saved;
  return number;
}

void channel_joins(int fd, int other) {
  struct stat s;
  int saved = errno;
  uint32_t number = channel_of(fd);
  uint64_t *at = number != CHANNEL_NONE && status(other, &s) ? number_at(key_of(other, &s)) : NULL;
  if (at) __atomic_store_n(at, number + 1, __ATOMIC_RELAXED); /* the inode may be used again */
  errno = saved;
}

uint32_t channel_of_file(int fd) {
  struct stat s;
  int saved = errno;
  uint32_t number = channel_of_number(fd);
  if (NEXT(fstat)(fd, &s) == 0) number = number_of(hash_pair(s.st_dev, s.st_ino), number);
  errno = saved;
  return number;
}

uint32_t channel_of_queue(uintptr_t id) { return (uint32_t)(hash_mix(id) % CHANNELS); }

/* --- what is done to it --- */

static uintptr_t address_of(uint32_t channel) { return (uintptr_t)&channels[recording ? channel : CHANNELS]; }

void channel_sends(struct thread *t, uint32_t channel) {
  if (channel == CHANNEL_NONE || t->ignore_sync) return;
  if (UNLIKELY(recording)) return sync_release(t, address_of(channel), SYNC_OTHER);
  struct sync *s = sync_at(address_of(channel), SYNC_OTHER);
  if (!s) return;
  sync_lock(t, s);
  section_writes(t, s);
  thread_release_join(t, &s->clock);
  sync_unlock(t, s);
}

void channel_receives(struct thread *t, uint32_t channel) {
  if (!t->ignore_sync && (!recording || channel != CHANNEL_NONE)) sync_acquire(t, address_of(channel));
  if (UNLIKELY(signals_are_read)) signals_received();
}

void channel_is_empty(struct thread *t) {
  struct sync *s = analysis == ANALYSIS_OVP && !t->ignore_sync ? sync_at(address_of(CHANNEL_NONE), SYNC_OTHER) : NULL;
  if (!s) return;
  sync_lock(t, s);
  section_reads(t, s);
  sync_unlock(t, s);
}

/* --- of several at once --- */

static uint64_t watch_key(int epoll, uint64_t data) { return hash_pair(data, (uint64_t)epoll + CHANNELS); }

void channel_watched(int epoll, int fd, uint64_t data) {
  uint64_t *at = recording ? number_at(watch_key(epoll, data)) : NULL;
  uint32_t channel = at ? channel_of(fd) : CHANNEL_NONE;
  if (channel != CHANNEL_NONE) __atomic_store_n(at, channel + 1, __ATOMIC_RELAXED);
}

void channels_ready(struct thread *t, int epoll, const struct epoll_event *events, int n) {
  if (!recording) return channel_receives(t, CHANNEL_NONE);
  for (int i = 0; i < n; i++) {
    if (!(events[i].events & ~(uint32_t)EPOLLOUT)) continue; /* that there is room, nobody has sent */
    uint64_t *at = number_at(watch_key(epoll, events[i].data.u64)), number = at ? __atomic_load_n(at, __ATOMIC_RELAXED) : 0;
    if (number) channel_receives(t, (uint32_t)number - 1);
  }
  channel_receives(t, channel_of(epoll));
}

void channels_polled(struct thread *t, const struct pollfd *list, size_t n) {
  if (!recording) return channel_receives(t, CHANNEL_NONE);
  for (size_t i = 0; i < n; i++)
    if (list[i].revents & ~POLLOUT) channel_receives(t, channel_of(list[i].fd));
}

void channels_selected(struct thread *t, int n, const fd_set *set) {
  for (int fd = 0; set && recording && fd < n && fd < FD_SETSIZE; fd++)
    if (FD_ISSET(fd, set)) channel_receives(t, channel_of(fd));
}
