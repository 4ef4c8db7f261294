#include "intercept/library.h"

#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <wchar.h>

#include "intercept/text.h"
#include "record/system.h"

const struct role PLAIN;

struct library_function *library_row(const char *name) {
  for (struct library_function *const *f = __start_library_functions; f < __stop_library_functions; f++)
    if (rt_equal((*f)->name, name)) return *f;
  return NULL;
}

/* The variable is one that nobody can name; the function's address stands for it. */
static void keeps_place(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)arguments;
  touches(t, f->next ? f->next : (const void *)f, 1, SITE_WRITE, pc);
}
const struct role KEEPS_PLACE = {.before = keeps_place};

static bool succeeded(enum success s, intptr_t result) {
  switch (s) {
    case ALWAYS:
      return true;
    case NUMBER:
    case COUNT:
      return result >= 0;
    case ZERO:
      return result == 0;
    case TRUTH:
      return result > 0;
    case POINTER:
      return result != 0;
  }
  return false;
}

static size_t text_size(uintptr_t at, size_t most) {
  size_t n = NEXT(strnlen)((const char *)at, most);
  return n < most ? n + 1 : n;
}
static size_t wide_size(uintptr_t at, size_t most) {
  size_t n = NEXT(wcsnlen)((const wchar_t *)at, most);
  return (n < most ? n + 1 : n) * sizeof(wchar_t);
}

static size_t product(size_t a, size_t b) {
  size_t both;
  return __builtin_mul_overflow(a, b, &both) ? 0 : both;
}

/* Blocks of memory, of which the first `left` bytes count. */
static void vector(struct thread *t, const struct iovec *v, size_t n, size_t left, enum site_kind kind, uintptr_t pc) {
  touches(t, v, n * sizeof *v, SITE_READ, pc);
  for (size_t i = 0; i < n && left > 0; i++) {
    size_t size = v[i].iov_len < left ? v[i].iov_len : left;
    touches(t, v[i].iov_base, size, kind, pc);
    left -= size;
  }
}

static void message(struct thread *t, const struct msghdr *m, size_t left, enum site_kind kind, uintptr_t pc) {
  touches(t, m, sizeof *m, kind, pc);
  if (m->msg_name) touches(t, m->msg_name, m->msg_namelen, kind, pc);
  if (m->msg_control) touches(t, m->msg_control, m->msg_controllen, kind, pc);
  vector(t, m->msg_iov, m->msg_iovlen, left, kind, pc);
}

static void messages(struct thread *t, const struct mmsghdr *m, size_t n, enum site_kind kind, uintptr_t pc) {
  for (size_t i = 0; i < n; i++) {
    message(t, &m[i].msg_hdr, kind == SITE_READ ? SIZE_MAX : m[i].msg_len, kind, pc);
    if (kind == SITE_WRITE) touches(t, &m[i].msg_len, sizeof m[i].msg_len, kind, pc);
  }
}

/* What the program says of a descriptor to poll comes first in it, then what it is told. */
static void polls(struct thread *t, const struct pollfd *p, size_t n, enum site_kind kind, uintptr_t pc) {
  for (size_t i = 0; i < n; i++)
    if (kind == SITE_READ)
      touches(t, &p[i], offsetof(struct pollfd, revents), kind, pc);
    else
      touches(t, &p[i].revents, sizeof p[i].revents, kind, pc);
}

/* Up to the first place where two strings differ but for capitals, and that place. */
static size_t alike(uintptr_t a, uintptr_t b, size_t most) {
  const char *x = (const char *)a, *y = (const char *)b;
  size_t n = 0;
  while (n < most && x[n] && tolower((unsigned char)x[n]) == tolower((unsigned char)y[n])) n++;
  return n < most ? n + 1 : n;
}

/* A call as far as it is known: before it there is no result. */
struct call {
  const uintptr_t *arguments;
  uint32_t room;
  uintptr_t returned; /* its register */
  intptr_t result;
};

static size_t room(const struct call *c, uintptr_t argument) {
  size_t now = argument ? *(const socklen_t *)argument : 0;
  return now < c->room ? now : c->room;
}

/* The bytes from `at` on that the effect is about. */
static size_t size_of(const struct effect *e, const struct call *c, uintptr_t at) {
  size_t argument = c->arguments[e->by], result = c->result > 0 ? (size_t)c->result : 0;
  switch ((enum length)e->length) {
    case LENGTH_SIZE:
      return e->size;
    case LENGTH_ARGUMENT:
      return product(argument, e->size);
    case LENGTH_PRODUCT:
      return product(argument, c->arguments[e->size]);
    case LENGTH_RESULT:
      return product(result, e->size);
    case LENGTH_RESULT_IN:
      return result < argument ? result : argument;
    case LENGTH_RESULTS:
      return product(result, argument);
    case LENGTH_RESULT_END:
      return result + 1;
    case LENGTH_TEXT:
      return text_size(at, SIZE_MAX);
    case LENGTH_TEXT_LIMIT:
      return text_size(at, argument);
    case LENGTH_WIDE:
      return wide_size(at, SIZE_MAX / sizeof(wchar_t));
    case LENGTH_WIDE_LIMIT:
      return wide_size(at, argument);
    case LENGTH_ROOM:
      return room(c, argument);
    case LENGTH_FOUND:
      return c->returned ? c->returned - at + 1 : text_size(at, SIZE_MAX);
    case LENGTH_FOUND_BYTES:
      return c->returned ? c->returned - at + 1 : argument;
    case LENGTH_ALIKE:
      return alike(at, argument, SIZE_MAX);
    case LENGTH_ALIKE_LIMIT:
      return alike(at, argument, c->arguments[e->size]);
    case LENGTH_ADDRESS:
      return (int)argument == AF_INET ? sizeof(struct in_addr) : (int)argument == AF_INET6 ? sizeof(struct in6_addr) : 0;
    case LENGTH_MESSAGE_OF:
      return sizeof(long) + (e->kind == SITE_WRITE ? result : argument);
    case LENGTH_FIELD:
      return *(const unsigned short *)(at + e->size);
    case LENGTH_VECTOR:
    case LENGTH_MESSAGE:
    case LENGTH_MESSAGES:
    case LENGTH_POLLS:
      break; /* apply() */
  }
  return 0;
}

/* It ends where the call finds something. */
static bool is_text(const struct effect *e) {
  return e->kind == SITE_READ && (e->length == LENGTH_RESULT_END || (e->length >= LENGTH_TEXT && e->length <= LENGTH_ALIKE_LIMIT));
}
static bool writes_by_text(const struct library_function *f) {
  bool text = false, writes = false;
  for (unsigned i = 0; i < LIBRARY_EFFECTS && f->effects[i].kind; i++)
    text |= is_text(&f->effects[i]), writes |= f->effects[i].kind == SITE_WRITE;
  return text && writes;
}

/* left: so many bytes of what is in several blocks. */
static void apply(struct thread *t, const struct effect *e, const struct call *c, size_t left, uintptr_t pc) {
  enum { FIRST_PAGE = 4096 }; /* the system tells the program that a string cannot be there; we may not ask for its length */
  uintptr_t at = e->argument == RETURNED ? c->returned : c->arguments[e->argument];
  if (at < FIRST_PAGE) return;
  if (e->indirect && (at = *(const uintptr_t *)at) < FIRST_PAGE) return;
  enum site_kind kind = (enum site_kind)e->kind;
  int count = (int)c->arguments[e->by];
  if (is_text(e))
    touches_text(t, (const void *)at, size_of(e, c, at), pc);
  else if (e->length < LENGTH_VECTOR)
    touches(t, (const void *)at, size_of(e, c, at), kind, pc);
  else if (e->length == LENGTH_VECTOR && count > 0)
    vector(t, (const struct iovec *)at, (size_t)count, left, kind, pc);
  else if (e->length == LENGTH_MESSAGE)
    message(t, (const struct msghdr *)at, left, kind, pc);
  else if (e->length == LENGTH_MESSAGES)
    messages(t, (const struct mmsghdr *)at, left < (unsigned)count ? left : (unsigned)count, kind, pc);
  else if (e->length == LENGTH_POLLS)
    polls(t, (const struct pollfd *)at, c->arguments[e->by], kind, pc);
}

static bool needs_result(const struct effect *e) {
  return e->kind == SITE_WRITE || e->argument == RETURNED || e->length == LENGTH_FOUND || e->length == LENGTH_FOUND_BYTES ||
         (e->length >= LENGTH_RESULT && e->length <= LENGTH_RESULT_END);
}

void library_begins(struct thread *t, const struct library_function *f, const uintptr_t *arguments, struct library_rooms *rooms,
                    uintptr_t pc) {
  if (UNLIKELY(recording) && !is_understood(pc)) system_begins(t, f, arguments);
  if (f->role->before) f->role->before(t, f, arguments, pc);
  const struct call c = {.arguments = arguments};
  for (unsigned i = 0; i < LIBRARY_EFFECTS && f->effects[i].kind; i++) {
    const struct effect *e = &f->effects[i];
    const socklen_t *room = e->length == LENGTH_ROOM ? (const socklen_t *)arguments[e->by] : NULL;
    if (room) rooms->at[i] = *room;
    if (!needs_result(e)) apply(t, e, &c, SIZE_MAX, pc);
  }
  if (UNLIKELY(recording) && writes_by_text(f)) text_decides(t);
}

void library_ends(struct thread *t, const struct library_function *f, const uintptr_t *arguments, const struct library_rooms *rooms,
                  uintptr_t result, uintptr_t pc) {
  struct call c = {.arguments = arguments, .returned = result, .result = library_result(f, result)};
  int saved = errno;
  if (f->role->after) f->role->after(t, f, arguments, c.result, pc);
  for (unsigned i = 0; i < LIBRARY_EFFECTS && f->effects[i].kind; i++) {
    const struct effect *e = &f->effects[i];
    if (!needs_result(e) || (e->kind == SITE_WRITE && !succeeded((enum success)f->success, c.result))) continue;
    c.room = rooms->at[i];
    if (UNLIKELY(recording) && e->kind == SITE_WRITE && writes_by_text(f)) text_decides(t);
    apply(t, e, &c, c.result > 0 ? (size_t)c.result : 0, pc);
  }
  if (UNLIKELY(recording) && !is_understood(pc)) system_ends(t, f, arguments);
  errno = saved;
}

uintptr_t library_call(struct thread *t, struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  struct library_rooms rooms;
  const uintptr_t *a = arguments;
  library_begins(t, f, a, &rooms, pc);
  uintptr_t result = ((library_type *)library_next(f))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  library_ends(t, f, a, &rooms, result, pc);
  return result;
}
