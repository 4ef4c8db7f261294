/* Shapes of runs on which the literature's analyses differ: races and deadlocks that only exchanging sections shows, what WCP promises
 * though no reordering shows it, circles of locks that no reordering closes. For each, who finds something about `x` (or the deadlock, the
 * lost notification), as the table says; and of all that the maximal analysis finds, that the enumeration of all orders has it, and the
 * other way around.
 *
 * usage: recorded_shapes [--table]: prints the table for docs/prediction.md
 *
 * A run is a list of events; each begins with its thread:
 *   0wx1  writes 1 to x (y, z)           0rx  reads x                0fx  frees x
 *   0b    branches                       0i   uses what it read last as an address
 *   0+l   takes l (m, n); 0(l for reading, 0-l gives it back; 0?l tries in vain
 *   0>1   starts thread 1                0<1  joins it
 *   0_    begins to wait for the condition, with l; 0^ ends it; 0*  signals
 *   0P    waits for the semaphore        0V   posts it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorded_compare.h"
#include "streaming/streaming.h"
#include "trace/finding.h"

struct shape {
  const char *what, *run;
  enum finding_kind kind;
  const char *found; /* by whom */
};

#define RACE FINDING_DATA_RACE
static const struct shape shapes[] = {
    {"sections with nothing in common between two writes", "0wx1 0+l 0-l 1+l 1-l 1wx2", RACE, "wcp wdc edc sp maximal"},
    {"the same, by way of a third thread and a second lock", "0wx1 0+l 0-l 2+l 2+m 2-m 2-l 1+m 1-m 1wx2", RACE, "wcp wdc edc sp maximal"},
    {"the section before the first write can be left out", "0wx1 0+l 0wy1 0-l 1+l 1wy2 1-l 1wx2", RACE, "sp maximal"},
    {"the second section reads what the first one wrote (patent, FIG. 1)", "0wx1 0+l 0wy1 0-l 1+l 1ry 1-l 1wx2", RACE, "maximal"},
    {"and decides by it", "0wx1 0+l 0wy1 0-l 1+l 1ry 1b 1-l 1wx2", RACE, ""},
    {"and uses it as an address (patent, FIG. 6)", "0wx1 0+l 0wy1 0-l 1+l 1ry 1-l 1i 1wx2", RACE, ""},
    {"the sections have to be exchanged", "0+l 0wx1 0-l 1+l 1wz1 1-l 1wx2", RACE, "wcp wdc edc maximal"},
    {"two pairs of sections have to be exchanged", "0+m 0+l 0wx1 0-l 0-m 1+l 1wz1 1-l 1+m 1-m 1wx2", RACE, "wcp wdc edc maximal"},
    {"the sections have to be exchanged, and what is read within changes", "0+l 0wx1 0wy1 0-l 1+l 1ry 1-l 1wx2", RACE, "maximal"},
    {"WCP promises a race, and there is a deadlock instead", "0+l 0+m 0-m 0wx1 0-l 1+m 1+l 1-l 1wx2 1-m", RACE, "wcp wdc edc"},
    {"that deadlock", "0+l 0+m 0-m 0wx1 0-l 1+m 1+l 1-l 1wx2 1-m", FINDING_DEADLOCK, "maximal"},
    {"excluded by WCP's rule (b), and possible", "0+l 0+m 0wy1 0-m 0wx1 0-l 1+m 1ry 1-m 1+l 1-l 1wx2", RACE, "wdc maximal"},
    {"excluded by rule (b), rightly: the read decides", "0+l 0+m 0wy1 0-m 0wx1 0-l 1+m 1ry 1b 1-m 1+l 1-l 1wx2", RACE, "wdc"},
    {"a second race, behind one whose read decides", "0wx1 0wy1 1ry 1b 1wx2", RACE, "hb wcp"},
    {"a second race, behind one whose read does not matter", "0wx1 0wy1 1ry 1wx2", RACE, "hb wcp maximal"},
    {"behind a join: what the thread left depends on such a read, and decides", "2>1 0wx1 0wy1 1ry 1wz1 2<1 2rz 2b 2wx2", RACE, "hb wcp"},
    {"one lock around both", "0+l 0wx1 0-l 1+l 1wx2 1-l", RACE, ""},
    {"both under one lock, taken for reading", "0(l 0wx1 0-l 1(l 1wx2 1-l", RACE, "hb wcp wdc edc sp maximal"},
    {"once for reading, once not", "0(l 0wx1 0-l 1+l 1wx2 1-l", RACE, ""},
    {"starts and joins between", "0wx1 0>1 1wx2 0<1 0wx1", RACE, ""},
    {"who tried the lock in vain knows that it was held", "0wx1 0+l 1?l 1wx2 0-l", RACE, "hb"},
    {"a notification between", "1+l 1_ 0wx1 0+l 0* 0-l 1^ 1-l 1wx2", RACE, ""},
    {"that notification may come too early", "1+l 1_ 0wx1 0+l 0* 0-l 1^ 1-l 1wx2", FINDING_LOST_WAKEUP, "edc maximal"},
    {"a semaphore between", "0wx1 0V 1P 1wx2", RACE, ""},
    {"a semaphore that a third thread may have posted", "2V 0wx1 0V 1P 1wx2", RACE, "maximal"},
    {"a lock that hides a use after free (OVPredict, Figure 3.4)", "0+m 0wx1 0-m 1+m 1fx 1-m", FINDING_USE_AFTER_FREE, "edc maximal"},
    {"what is read keeps the sections' order (Figure 3.3), if it decides", "0+m 0ry 0b 0wx1 0-m 1+m 1fx 1wy1 1-m", FINDING_USE_AFTER_FREE,
     ""},
    {"and if it does not", "0+m 0ry 0wx1 0-m 1+m 1fx 1wy1 1-m", FINDING_USE_AFTER_FREE, "maximal"},
    {"two locks the other way around", "0+l 0+m 0-m 0-l 1+m 1+l 1-l 1-m", FINDING_DEADLOCK, "maximal"},
    {"three threads in a circle", "0+l 0+m 0-m 0-l 1+m 1+n 1-n 1-m 2+n 2+l 2-l 2-n", FINDING_DEADLOCK, "maximal"},
    {"a lock around both (gate lock)", "0+n 0+l 0+m 0-m 0-l 0-n 1+n 1+m 1+l 1-l 1-m 1-n", FINDING_DEADLOCK, ""},
    {"a start between", "0+l 0+m 0-m 0-l 0>1 1+m 1+l 1-l 1-m", FINDING_DEADLOCK, ""},
    {"a read that decides between", "0+l 0+m 0-m 0-l 0wy1 1ry 1b 1+m 1+l 1-l 1-m", FINDING_DEADLOCK, ""},
    {"a read that does not between", "0+l 0+m 0-m 0-l 0wy1 1ry 1+m 1+l 1-l 1-m", FINDING_DEADLOCK, "maximal"},
    {"a circle by a lock that both take for reading", "0(l 0+m 0-m 0-l 1+m 1(l 1-l 1-m", FINDING_DEADLOCK, ""},
    {"a circle by a lock that one takes for reading", "0(l 0+m 0-m 0-l 1+m 1+l 1-l 1-m", FINDING_DEADLOCK, "maximal"},
    {"a circle whose parts have to be exchanged with a section", "0+n 0wy1 0-n 0+l 0+m 0-m 0-l 1+n 1ry 1-n 1+m 1+l 1-l 1-m",
     FINDING_DEADLOCK, "maximal"},
    {"a write into a section that the lock does not know of", "0+l 0rx 0wx1 0-l 1wx2", FINDING_ATOMICITY_VIOLATION, "maximal"},
    {"a section of the same lock does not come between", "0+l 0rx 0wx1 0-l 1+l 1wx2 1-l", FINDING_ATOMICITY_VIOLATION, ""},
};

/* --- runs --- */

static uint64_t lock_named(char name) { return RUN_LOCK + 64 * (uint64_t)(name - 'l'); }

/* Where the thread's last read is. */
static uint32_t last_read(const struct run *r, uint32_t t) {
  for (uint32_t i = r->n; i-- > 0;)
    if (r->trace[i].thread == t && r->trace[i].op == EVENT_READ) return r->trace[i].site;
  return 0;
}

/* One event of the list; `state` is what the run has come to. */
static struct event read_event(const char *at, const struct run *r, const struct run_state *state) {
  uint32_t t = (uint32_t)(at[0] - '0');
  struct event e = {.thread = t, .site = r->n + 1};
  uint64_t variable = RUN_MEMORY + 8 * (uint64_t)(at[2] >= 'x' ? at[2] - 'x' : 0);
  switch (at[1]) {
    case 'w':
      e.op = EVENT_WRITE, e.object = variable, e.size = 8, e.value = RUN_VALUE * (uint64_t)(at[3] - '0');
      break;
    case 'r':
      e.op = EVENT_READ, e.object = variable, e.size = 8, e.value = run_value(state, &e);
      break;
    case 'f':
      e.op = EVENT_FREE, e.object = variable, e.size = 8;
      break;
    case 'b':
      e.op = RECORDED_BRANCH;
      break;
    case 'i':
      e.op = RECORDED_BRANCH, e.value = e.object = RUN_VALUE, e.value2 = last_read(r, t);
      break;
    case '+':
    case '(':
    case '?':
      e.op = at[1] == '?' ? EVENT_TRYFAIL : EVENT_ACQUIRE, e.object = lock_named(at[2]), e.size = 40;
      if (at[1] == '(') e.flags = EVENT_SHARED_LOCK;
      if (at[1] == '?') e.flags = EVENT_TRY;
      break;
    case '-':
      e.op = EVENT_RELEASE, e.object = lock_named(at[2]), e.size = 40;
      if (state->readers[at[2] - 'l'] >> t & 1) e.flags = EVENT_SHARED_LOCK;
      break;
    case '>':
    case '<':
      e.op = at[1] == '>' ? EVENT_FORK : EVENT_JOIN, e.object = (uint64_t)(at[2] - '0');
      break;
    case '_':
    case '^':
      e.op = at[1] == '_' ? EVENT_WAIT_ENTER : EVENT_WAIT_LEAVE, e.object = RUN_COND, e.size = 48, e.value2 = RUN_LOCK;
      break;
    case '*':
      e.op = EVENT_SIGNAL, e.object = RUN_COND, e.size = 48, e.value2 = UINT64_MAX;
      break;
    case 'P':
    case 'V':
      e.op = at[1] == 'P' ? EVENT_SEM_WAIT : EVENT_SEM_POST, e.object = RUN_COUNT, e.size = 32;
      break;
    default:
      fprintf(stderr, "no event: %s\n", at);
      exit(2);
  }
  return e;
}

static void read_shape(const struct shape *x, struct run *r) {
  struct run_state s;
  memset(r, 0, sizeof *r);
  memset(&s, 0, sizeof s);
  r->round = RUN_THREADS;
  for (const char *at = x->run; *at; at += strcspn(at, " "), at += *at == ' ') {
    struct event e = read_event(at, r, &s);
    run_add(r, &e);
    run_apply(r, &s, &e, run_waiters(&s, &e));
  }
}

/* --- who finds it --- */

static bool is_about_x(const struct run *r, uint32_t event) { return r->trace[event].object == RUN_MEMORY; }

static bool streaming_finds(const struct streaming_type *type, const struct shape *x, const struct run *r) {
  struct streaming *s = streaming_new(type);
  bool found = false;
  streaming_feed(s, r->trace, r->n);
  streaming_end(s);
  for (size_t i = 0; i < s->findings.count; i++) {
    const struct streaming_finding *f = &s->findings.data[i];
    found |= f->kind == x->kind && (x->kind == FINDING_LOST_WAKEUP || is_about_x(r, f->first.site - 1));
  }
  streaming_free(s);
  return found;
}

static bool maximal_finds(const struct truth *y, enum finding_kind kind, const struct run *r) {
  bool found = kind == FINDING_DEADLOCK && y->cycles > 0;
  for (uint32_t a = 0; a < r->n; a++) {
    found |= kind == FINDING_LOST_WAKEUP && y->lost[a];
    for (uint32_t b = 0; b < r->n; b++) {
      found |= kind == FINDING_DATA_RACE && y->race[a][b] && is_about_x(r, a);
      found |= kind == FINDING_USE_AFTER_FREE && y->freed[a][b] && is_about_x(r, a);
      for (uint32_t c = 0; c < r->n; c++) found |= kind == FINDING_ATOMICITY_VIOLATION && y->violation[a][b][c];
    }
  }
  return found;
}

static const char *const columns[] = {"hb", "wcp", "wdc", "edc", "sp"};

static void find_all(const struct shape *x, const struct run *r, const struct truth *y, char found[64]) {
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  *found = 0;
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    for (size_t i = 0; i < n; i++)
      if (strcmp(types[i]->name, columns[k]) == 0 && streaming_finds(types[i], x, r)) sprintf(found + strlen(found), " %s", columns[k]);
  if (maximal_finds(y, x->kind, r)) strcat(found, " maximal");
  if (*found) memmove(found, found + 1, strlen(found));
}

static uint64_t check(const struct shape *x, bool table) {
  static struct truth truth, said;
  struct run r;
  char found[64];
  read_shape(x, &r);
  truth_find(&truth, &r);
  uint64_t wrong = recorded_is_consistent(&r) && truth.complete ? 0 : 1;
  wrong += recorded_analyse(&r, 0, 0, &said) + recorded_compare(&r, &truth, &said, false);
  if (wrong) printf("%s: not consistent, undecided, or maximal differs from all orders\n", x->what);
  find_all(x, &r, &said, found);
  if (strcmp(found, x->found) != 0) printf("%s: found by \"%s\" instead of \"%s\"\n", x->what, found, x->found), wrong++;
  if (!table) return wrong;
  printf("| %s | `%s` | %s |", x->what, x->run, finding_kind_text(x->kind));
  for (size_t k = 0; k <= sizeof columns / sizeof *columns; k++) {
    const char *name = k < sizeof columns / sizeof *columns ? columns[k] : "maximal", *at = strstr(found, name);
    printf(" %s |", at ? maximal_finds(&truth, x->kind, &r) ? "yes" : "*yes*" : "");
  }
  printf("\n");
  return wrong;
}

int main(int argc, char **argv) {
  bool table = argc > 1 && strcmp(argv[1], "--table") == 0;
  uint64_t wrong = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) wrong += check(&shapes[i], table);
  if (!table) printf("%zu shapes, %llu wrong\n", sizeof shapes / sizeof *shapes, (unsigned long long)wrong);
  truth_release();
  return wrong > 0;
}
