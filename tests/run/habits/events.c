/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. A server of two threads by epoll: a connection is one thread's until it is armed again; the last of its bytes frees it. An event descriptor ends the server. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fixed.h"

enum { SERVERS = 2, CLIENTS = 4, REQUESTS = 50 };
struct connection {
  int fd;
  long bytes;
};
static int waits, ends, serving;

static void arm(int how, struct connection *c) {
  struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT, .data.ptr = c};
  epoll_ctl(waits, how, c->fd, &e);
}
static void answer(struct connection *c) {
  char text[4];
  ssize_t n = read(c->fd, text, sizeof text);
  if (n <= 0) {
    epoll_ctl(waits, EPOLL_CTL_DEL, c->fd, NULL);
    close(c->fd);
    free(c);
    return;
  }
  c->bytes += n;
  if (write(c->fd, text, (size_t)n) != n) abort();
  arm(EPOLL_CTL_MOD, c);
}
static void *serves(void *argument) {
  lock();
  serving++; /* @A */
  unlock();
  for (;;) {
    struct epoll_event e[4];
    uint64_t one;
    int n = epoll_wait(waits, e, 4, -1);
    for (int i = 0; i < n; i++)
      if (e[i].data.ptr)
        answer(e[i].data.ptr);
      else if (read(ends, &one, sizeof one) == sizeof one)
        return argument;
  }
}
static void *asks(void *argument) {
  int fd = (int)(intptr_t)argument;
  char text[4];
  for (int i = 0; i < REQUESTS; i++) {
    if (write(fd, "text", 4) != 4) abort();
    for (ssize_t n = 0; n < 4;) n += read(fd, text, (size_t)(4 - n));
  }
  close(fd);
  return NULL;
}

int main(void) {
  pthread_t s[SERVERS], c[CLIENTS];
  waits = epoll_create1(0), ends = eventfd(0, EFD_SEMAPHORE);
  epoll_ctl(waits, EPOLL_CTL_ADD, ends, &(struct epoll_event){.events = EPOLLIN});
  for (int i = 0; i < SERVERS; i++) pthread_create(&s[i], NULL, serves, NULL);
  for (int i = 0; i < CLIENTS; i++) {
    int pair[2];
    struct connection *new = calloc(1, sizeof *new);
    if (!new || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    new->fd = pair[0];
    arm(EPOLL_CTL_ADD, new);
    pthread_create(&c[i], NULL, asks, (void *)(intptr_t)pair[1]);
  }
  for (int i = 0; i < CLIENTS; i++) pthread_join(c[i], NULL);
  if (write(ends, &(uint64_t){SERVERS}, sizeof(uint64_t)) != sizeof(uint64_t)) return 1;
  for (int i = 0; i < SERVERS; i++) pthread_join(s[i], NULL);
  return 0;
}
