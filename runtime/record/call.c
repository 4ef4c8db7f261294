/* Calls of functions that properties name, and HD_EVENT(): methods of the trace, which are known by number. */
#include "record/file.h"

#include "intercept/intercept.h"

enum { METHODS = 4096, TABLE = 2 * METHODS, LONGEST = 1024, ARGUMENTS = 8, MARK_ARGUMENTS = 6 };

struct method {
  uint32_t number;
  char name[];
};

static struct {
  struct rt_lock lock;          /* for adding */
  struct method *slots[TABLE];  /* by hash; written once, under the lock */
  struct method *list[METHODS]; /* by number */
  uint32_t count;
} methods;

static const char mark_prefix[] = "mark:";

/* The name with its prefix, cut to what there is room for. */
static size_t whole_name(char *to, const char *prefix, const char *name) {
  size_t n = rt_length(prefix), m = rt_length(name);
  if (m > LONGEST - n) m = LONGEST - n;
  rt_copy(to, prefix, n), rt_copy(to + n, name, m);
  to[n + m] = 0;
  return n + m;
}

static uint32_t slot_of(const char *name) {
  uint64_t h = 14695981039346656037ull;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211ull;
  return (uint32_t)(h >> 32) % TABLE;
}

static struct method *find(const char *name, uint32_t *slot) {
  for (*slot = slot_of(name);; *slot = (*slot + 1) % TABLE) {
    struct method *m = __atomic_load_n(&methods.slots[*slot], __ATOMIC_ACQUIRE);
    if (!m || rt_equal(m->name, name)) return m;
  }
}

/* A block of names with that method alone. */
static void write_name(const struct method *m) {
  unsigned char payload[sizeof(struct trace_names_head) + LONGEST + 64];
  struct trace_names_head head = {.strings = 1, .methods = 1};
  size_t n = rt_length(m->name);
  rt_copy(payload, &head, sizeof head);
  unsigned char *at = trace_put_number(payload + sizeof head, n);
  rt_copy(at, m->name, n);
  at = trace_put_number(at + n, 1);
  file_write_names(payload, (size_t)(at - payload), 0, m->number);
}

/* NULL: there are too many, or no memory. */
static struct method *add(const char *name, size_t n) {
  uint32_t slot;
  rt_lock(&methods.lock);
  struct method *m = find(name, &slot);
  if (!m && methods.count < METHODS && (m = rt_alloc(sizeof *m + n + 1))) {
    m->number = methods.count;
    rt_copy(m->name, name, n + 1);
    methods.list[methods.count++] = m;
    write_name(m);
    __atomic_store_n(&methods.slots[slot], m, __ATOMIC_RELEASE);
  }
  rt_unlock(&methods.lock);
  return m;
}

/* Its number; METHODS if it cannot have one. Between thread_enter() and thread_leave(). */
static uint32_t number_of(const char *prefix, const char *name) {
  char whole[LONGEST + 8];
  uint32_t slot;
  size_t n = whole_name(whole, prefix, name);
  struct method *m = find(whole, &slot);
  if (!m) m = add(whole, n);
  return m ? m->number : METHODS;
}

bool calls_add(const char *prefix, const char *name) {
  uint32_t before = methods.count;
  return number_of(prefix, name) == before && before < METHODS;
}

/* A child of fork() writes a file of its own. */
void calls_after_fork(void) {
  methods.lock.held = 0;
  for (uint32_t i = 0; i < methods.count; i++) write_name(methods.list[i]);
}

static void record(struct thread *t, enum trace_op op, uint32_t method, const uint64_t *values, uint64_t n) {
  record_event(t, &(struct trace_event){.op = (uint8_t)op, .object = method});
  for (uint64_t i = 0; i < n; i++) record_event(t, &(struct trace_event){.op = TRACE_RECORDED_ARGUMENT, .object = i, .value = values[i]});
}

static void happens(const char *prefix, const char *name, enum trace_op op, const uint64_t *values, uint64_t n) {
  struct thread *t = recording ? watched() : NULL;
  if (!t) return;
  thread_enter(t);
  uint32_t method = number_of(prefix, name);
  if (method < METHODS) record(t, op, method, values, n);
  if (method < METHODS && prefix == mark_prefix) record(t, TRACE_RECORDED_RETURN, method, NULL, 0);
  thread_leave(t);
}

/* --- what woven code calls (src/program/named_calls.h), and <heddle.h> --- */

PUBLIC void __heddle_recorder_known(const char *name);
PUBLIC void __heddle_recorder_call(const char *name, uint64_t n, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                                   uint64_t g, uint64_t h);
PUBLIC void __heddle_recorder_return(const char *name, uint64_t n, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                                     uint64_t g, uint64_t h, uint64_t results, uint64_t value);
PUBLIC void hd_event(const char *name, unsigned n, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
                     unsigned long f);

void __heddle_recorder_known(const char *name) {
  if (!recording) return;
  struct thread *t = thread_enter_self();
  number_of("", name);
  thread_leave_self(t);
}

void __heddle_recorder_call(const char *name, uint64_t n, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                            uint64_t g, uint64_t h) {
  const uint64_t values[ARGUMENTS] = {a, b, c, d, e, f, g, h};
  happens("", name, TRACE_RECORDED_CALL, values, n < ARGUMENTS ? n : ARGUMENTS);
}

/* Who reads the trace knows the arguments from the call. */
void __heddle_recorder_return(const char *name, uint64_t n, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                              uint64_t g, uint64_t h, uint64_t results, uint64_t value) {
  (void)n, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  happens("", name, TRACE_RECORDED_RETURN, &value, results != 0);
}

void hd_event(const char *name, unsigned n, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
              unsigned long f) {
  const uint64_t values[MARK_ARGUMENTS] = {a, b, c, d, e, f};
  happens(mark_prefix, name, TRACE_RECORDED_CALL, values, n < MARK_ARGUMENTS ? n : MARK_ARGUMENTS);
}
