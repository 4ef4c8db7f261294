/* finds: data race A Z, data race B Z, data race C Z, data race D Z, data race E Z, data race F Z, data race G Z, data race H Z, data race I Z, data race J Z, data race K Z, data race L Z, data race M Z, data race N Z, data race O Z, data race P Z, data race Q Z, data race R Z, data race S Z, data race T Z; fixed: nothing. What functions of the C library write about files, descriptors and sockets. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "written.h"

static char path[4096], real[4096], link_to[4096], bytes[64], line[64], blocks[2][8], got[8], text[INET_ADDRSTRLEN], in_message[8], piece[8];
static struct stat about, about_it;
static struct sockaddr_un name;
static struct epoll_event events[1];
static struct pollfd polled[1];
static struct in_addr address;
static struct dirent *entry;
static int pair[2], value;
static char *grown;

static void *writes(void *argument) {
  FILE *f = fopen("/proc/self/status", "r");
  DIR *d = opendir("/");
  int fd = open("/proc/self/status", O_RDONLY), queue = epoll_create1(0);
  struct iovec v[] = {{blocks[0], 8}, {blocks[1], 8}}, one = {in_message, 8};
  struct msghdr m = {.msg_iov = &one, .msg_iovlen = 1};
  struct in_addr from = {0x0100007f};
  struct epoll_event wanted = {.events = EPOLLOUT};
  socklen_t size = sizeof name, value_size = sizeof value;
  size_t room = 0;
  char *own = NULL;
  getcwd(path, sizeof path);                             /* @A */
  realpath("/proc/self", real);                          /* @B */
  readlink("/proc/self", link_to, 100);                  /* @C */
  stat("/", &about);                                     /* @D */
  fstat(0, &about_it);                                   /* @E */
  fread(bytes, 1, sizeof bytes, f);                      /* @F */
  fgets(line, sizeof line, f);                           /* @G */
  readv(fd, v, 1);                                       /* @H */
  preadv(fd, v + 1, 1, 0);                               /* @I */
  pread64(fd, got, sizeof got, 0);                       /* @J */
  inet_ntop(AF_INET, &from, text, sizeof text);          /* @K */
  getsockname(pair[0], (struct sockaddr *)&name, &size); /* @L */
  epoll_ctl(queue, EPOLL_CTL_ADD, pair[0], &wanted);
  epoll_wait(queue, events, 1, 0);                               /* @M */
  poll(polled, 1, 0);                                            /* @N */
  inet_aton("127.0.0.1", &address);                              /* @O */
  getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &value, &value_size); /* @P */
  recvmsg(pair[0], &m, 0);                                       /* @Q */
  recv(pair[0], piece, sizeof piece, 0);                         /* @R */
  getdelim(&own, &room, 10, f);                                  /* @S */
  struct dirent *e = readdir(d);                                 /* @T */
  grown = own, entry = e;
  fclose(f);
  close(fd);
  close(queue);
  return argument;
}

__attribute__((no_sanitize("thread"), noinline)) static const volatile char *seen(int i) {
  const volatile char *const all[] = {path, real, link_to, (char *)&about, (char *)&about_it, bytes, line, blocks[0], blocks[1], got, text,
    (char *)&name, (char *)events, (char *)&polled[0].revents, (char *)&address, (char *)&value, in_message, piece, grown, (char *)entry};
  return i < (int)(sizeof all / sizeof all[0]) ? all[i] : NULL;
}

static void *reads(void *argument) {
  const volatile char *p;
  char sum = 0;
  for (int i = 0; (p = seen(i)); i++) {
    sum += *p; /* @Z */
  }
  return sum == 77 ? argument : NULL;
}

int main(void) {
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  send(pair[1], "12345678", 8, 0);
  send(pair[1], "12345678", 8, 0);
  polled[0] = (struct pollfd){.fd = pair[0], .events = POLLOUT};
  return run_both();
}
