#include "search/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/answer.h"

void pool_init(struct pool *p, const struct pool_type *type, uint32_t places, void *user) {
  *p = (struct pool){.type = type, .user = user, .places = places, .workers = mem_alloc(places * sizeof *p->workers)};
}

void pool_release(struct pool *p) { mem_free(p->workers, p->places * sizeof *p->workers); }

uint32_t pool_free_place(const struct pool *p) {
  uint32_t i = 0;
  while (i < p->places && p->workers[i].pid) i++;
  return i;
}

static void close_pipe(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* In a worker: the master's ends of all pipes are none of its business, and keep others from seeing that the master is gone. */
static void close_all(struct pool *p) {
  for (uint32_t i = 0; i < p->places; i++) {
    if (p->workers[i].pid == 0) continue;
    close_pipe(&p->workers[i].from);
    close_pipe(&p->workers[i].to);
  }
}

enum err pool_hire(struct pool *p, uint32_t place, struct diag *d) {
  struct pool_worker *w = &p->workers[place];
  int said[2] = {-1, -1}, told[2] = {-1, -1};
  pid_t pid = pipe(said) || (p->type->talks && pipe(told)) ? -1 : fork();
  int error = errno;
  if (pid == 0) {
    close_all(p);
    close_pipe(&said[0]);
    close_pipe(&told[1]);
    p->type->work(p->user, place, told[0], said[1]);
    _exit(1);
  }
  close_pipe(&said[1]);
  close_pipe(&told[0]);
  if (pid > 0) {
    *w = (struct pool_worker){.pid = pid, .from = said[0], .to = told[1], .since = deadline_now()};
    p->count++;
    return ERR_NONE;
  }
  close_pipe(&said[0]);
  close_pipe(&told[1]);
  return diag_set(d, ERR_TOOL, "a worker cannot be started: %s", strerror(error));
}

void pool_send_home(struct pool *p, uint32_t place) { close_pipe(&p->workers[place].to); }

static bool dismiss(struct pool *p, uint32_t place, bool kills) {
  struct pool_worker *w = &p->workers[place];
  int status = -1;
  if (kills) kill(w->pid, SIGKILL);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) continue;
  bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  bool goes_on = p->type->gone(p->user, place, kills ? POOL_KILLED : well ? POOL_ENDED : POOL_CRASHED);
  close_pipe(&w->from);
  close_pipe(&w->to);
  text_release(&w->said);
  *w = (struct pool_worker){0};
  p->count--;
  return goes_on;
}

void pool_kill_all(struct pool *p) {
  for (uint32_t i = 0; i < p->places; i++) {
    if (p->workers[i].pid) (void)dismiss(p, i, true);
  }
}

static bool hear(struct pool *p, uint32_t place) {
  bool gone = answer_receive(p->workers[place].from, &p->workers[place].said);
  bool goes_on = !p->type->heard || p->type->heard(p->user, place);
  return (!gone || dismiss(p, place, false)) && goes_on;
}

bool pool_listen(struct pool *p, int milliseconds) {
  VEC(struct pollfd) fds = {0};
  bool goes_on = true;
  for (uint32_t i = 0; i < p->places; i++)
    *vec_push(&fds) = (struct pollfd){.fd = p->workers[i].pid ? p->workers[i].from : -1, .events = POLLIN};
  int ready = poll(fds.data, fds.count, milliseconds);
  for (uint32_t i = 0; ready > 0 && goes_on && i < p->places; i++) {
    if (fds.data[i].revents) goes_on = hear(p, i);
  }
  vec_release(&fds);
  return goes_on;
}

/* What they are in the midst of ends here; what they have found they can still say. */
static void interrupt_all(struct pool *p) {
  for (uint32_t i = 0; i < p->places; i++) {
    if (p->workers[i].pid) kill(p->workers[i].pid, SIGTERM);
  }
  p->interrupted = true;
}

void pool_stop(struct pool *p, bool stopping, double time) {
  if (!stopping) p->stopped = 0;
  if (stopping && p->stopped == 0) p->stopped = time;
  double passed = stopping ? time - p->stopped : 0;
  if (p->late && !p->interrupted && passed > LATE_SECONDS / 2) interrupt_all(p);
  if (passed > (p->late ? LATE_SECONDS : STOP_SECONDS)) pool_kill_all(p);
}

void pool_hurry(struct pool *p, double time) {
  if (!deadline_passed) return;
  p->late = true;
  deadline_renew(time + LATE_SECONDS);
}

void message_put(struct text *out, uint32_t kind, const struct text *what) {
  struct message_head head = {kind, (uint32_t)what->count};
  WIRE_PUT(out, head);
  text_append(out, text_str(what), what->count);
}

bool message_next(const struct text *said, size_t *at, struct message_head *head, struct wire *what) {
  if (said->count - *at < sizeof *head) return false;
  memcpy(head, said->data + *at, sizeof *head);
  const char *begin = said->data + *at + sizeof *head;
  if ((size_t)(said->data + said->count - begin) < head->size) return false;
  *what = (struct wire){begin, begin + head->size, false};
  *at += sizeof *head + head->size;
  return true;
}

void message_taken(struct text *said, size_t at) {
  if (at) memmove(said->data, said->data + at, said->count - at), said->count -= at;
}
