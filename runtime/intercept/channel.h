/* Pipes, sockets, event descriptors and the like: what one thread writes there comes before what another one reads.
 *
 * In `heddle run` all of them count as one: a program that tells threads apart by descriptors alone may so hide a race, but none is
 * invented. Where a run is recorded each is a channel of its own (few have the same), and what all of them have to do with each other,
 * nobody knows (record/system.h). A channel has the number of the first descriptor by which it was seen, so that it is the same in a run
 * like this. */
#pragma once
#include <sys/select.h>

#include "intercept/intercept.h"

struct epoll_event;
struct pollfd;

enum { CHANNELS = 256, CHANNEL_NONE = CHANNELS };

/* CHANNEL_NONE: it is a file, a terminal, or nothing. Two ends of a pipe are the same; so are those of socketpair() or of a connection, if
 * both are seen here. errno stays. */
uint32_t channel_of(int fd);
/* Two descriptors are ends of one. */
void channel_joins(int fd, int other);
/* A number of a descriptor: who gets it comes behind who closed what had it. */
static inline uint32_t channel_of_number(int fd) { return (uint32_t)fd % CHANNELS; }
/* Of a file, for its locks. */
uint32_t channel_of_file(int fd);
/* One that has no descriptor: a queue of messages, or semaphores of System V. */
uint32_t channel_of_queue(uintptr_t id);

void channel_sends(struct thread *t, uint32_t channel);
void channel_receives(struct thread *t, uint32_t channel);
/* Nothing was there yet. */
void channel_is_empty(struct thread *t);

/* What epoll_ctl() asked to be told: of which descriptor, by which data. */
void channel_watched(int epoll, int fd, uint64_t data);
/* Something is ready. */
void channels_ready(struct thread *t, int epoll, const struct epoll_event *events, int n);
void channels_polled(struct thread *t, const struct pollfd *list, size_t n);
void channels_selected(struct thread *t, int n, const fd_set *set);
