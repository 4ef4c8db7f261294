/* Random native programs whose races are known: the runtime as a whole, its interceptors and the compiler's instrumentation included, against
 * happens-before by definition.
 *
 *     random programs SEED COUNT            prints a C program; its argument says which of COUNT traces it plays
 *     random check SEED COUNT NUMBER FILE   compares the findings in FILE (--json of `heddle run`) with those of trace NUMBER; 0: they agree
 *
 * A trace is a sequence of operations of several threads. The program makes its threads take turns in just that order, by a counter that
 * no analysis sees (not instrumented, no function that is watched). So what happened is known, and happens-before is its closure:
 * program order, creation and joining, unlock to later lock, post to wait, entering a barrier to leaving it, release to acquire.
 *
 * The operation with number i stands on line NUMBER * 1000 + i + 1 of the program. Every finding has to be two operations that conflict and are
 * unordered; and of each byte the first race has to be found: some finding names its later operation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPS = 90, THREADS = 6, MUTEXES = 3, BYTES = 24, BLOCKS = 3, BLOCK_BYTES = 16, ATOMICS = 2, MEMORY = BYTES + BLOCKS * BLOCK_BYTES };

enum op {
  OP_READ,
  OP_WRITE,
  OP_COPY,  /* memcpy() into shared bytes */
  OP_CLEAR, /* memset() */
  OP_FREE,
  OP_LOCK,
  OP_TRYLOCK,
  OP_UNLOCK,
  OP_READ_LOCK,
  OP_WRITE_LOCK,
  OP_RW_UNLOCK,
  OP_SPIN_LOCK,
  OP_SPIN_UNLOCK,
  OP_POST,
  OP_POST_WAIT,
  OP_LOAD,
  OP_STORE,
  OP_ADD,
  OP_CREATE,
  OP_JOIN,
  OP_DETACH,
  OP_END,
  OP_WAIT,      /* pthread_cond_wait(), its first half */
  OP_SIGNAL,
  OP_WOKEN,     /* the second half */
  OP_ENTER,     /* pthread_barrier_wait() */
  OP_LEAVE,
};

struct operation {
  enum op op;
  int thread, object;    /* object: a mutex, a thread, an atomic, a block of the heap, ... */
  unsigned at, size;     /* OP_READ to OP_FREE: bytes of the shared memory, blocks of the heap behind it */
  bool strong;           /* atomics: acquire, release */
  int partner;           /* OP_WAIT: its OP_SIGNAL */
  bool before[OPS];      /* which earlier operations happen before it */
};

static struct {
  uint64_t random;
  struct operation ops[OPS];
  int count;
  int last[THREADS];                     /* operation; -1: none */
  bool exists[THREADS], alive[THREADS], joinable[THREADS];
  int busy[THREADS];                     /* waits within an operation */
  int holder[MUTEXES], unlocked[MUTEXES]; /* thread; last OP_UNLOCK or OP_WAIT */
  int spinner, spun;
  int writer, readers[THREADS], write_end, read_ends[OPS], nread_ends;
  int post;                              /* that nobody has waited for */
  bool heads[ATOMICS][OPS];              /* who reads the value with acquire synchronises with these */
  bool freed[BLOCKS];
} g;

static unsigned pick(unsigned n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (unsigned)(g.random >> 33) % n;
}

static void order(int a, int b) {
  if (a < 0 || a == b) return;
  g.ops[b].before[a] = true;
  for (int i = 0; i < a; i++) g.ops[b].before[i] |= g.ops[a].before[i];
}

static int add(enum op op, int thread, int object) {
  int i = g.count++;
  g.ops[i] = (struct operation){.op = op, .thread = thread, .object = object, .partner = -1};
  order(g.last[thread], i);
  g.last[thread] = i;
  return i;
}

static bool holds_any(int thread) {
  bool any = g.spinner == thread || g.writer == thread || g.readers[thread];
  for (int i = 0; i < MUTEXES; i++) any |= g.holder[i] == thread;
  return any;
}

/* --- one operation of each kind; false: it is not possible now --- */

static bool access_memory(int t) {
  static const unsigned sizes[] = {1, 2, 4, 8};
  static const enum op ops[] = {OP_READ, OP_READ, OP_WRITE, OP_WRITE, OP_COPY, OP_CLEAR};
  enum op op = ops[pick(6)];
  int block = pick(3) ? -1 : (int)pick(BLOCKS);
  if (block >= 0 && g.freed[block]) return false;
  unsigned from = block < 0 ? 0 : BYTES + (unsigned)block * BLOCK_BYTES, bytes = block < 0 ? BYTES : BLOCK_BYTES;
  unsigned size = op == OP_COPY || op == OP_CLEAR ? 1 + pick(bytes) : sizes[pick(4)];
  unsigned at = pick(4) && bytes % size == 0 ? pick(bytes / size) * size : pick(bytes - size + 1);
  int i = add(op, t, block);
  g.ops[i].at = from + at, g.ops[i].size = size;
  return true;
}

static bool free_block(int t) {
  int block = (int)pick(BLOCKS);
  if (pick(3) || g.freed[block]) return false;
  int i = add(OP_FREE, t, block);
  g.ops[i].at = BYTES + (unsigned)block * BLOCK_BYTES, g.ops[i].size = BLOCK_BYTES;
  g.freed[block] = true;
  return true;
}

static bool use_mutex(int t) {
  int m = (int)pick(MUTEXES);
  if (g.holder[m] == t) {
    g.holder[m] = -1;
    g.unlocked[m] = add(OP_UNLOCK, t, m);
    return true;
  }
  if (g.holder[m] >= 0) return false;
  for (int i = 0; i < MUTEXES; i++) /* in one order: deadlocks are not what this is about */
    if (g.holder[i] == t && i > m) return false;
  if (g.spinner == t || g.writer == t || g.readers[t]) return false;
  order(g.unlocked[m], add(pick(4) ? OP_LOCK : OP_TRYLOCK, t, m));
  g.holder[m] = t;
  return true;
}

static bool use_spin_lock(int t) {
  if (g.spinner == t) {
    g.spinner = -1;
    g.spun = add(OP_SPIN_UNLOCK, t, 0);
    return true;
  }
  if (g.spinner >= 0) return false;
  order(g.spun, add(OP_SPIN_LOCK, t, 0));
  g.spinner = t;
  return true;
}

static bool use_rwlock(int t) {
  if (g.writer == t || g.readers[t]) {
    int i = add(OP_RW_UNLOCK, t, 0);
    if (g.writer == t)
      g.writer = -1, g.write_end = i;
    else
      g.readers[t] = 0, g.read_ends[g.nread_ends++] = i;
    return true;
  }
  if (g.writer >= 0 || g.spinner == t) return false;
  int readers = 0;
  for (int i = 0; i < THREADS; i++) readers += g.readers[i];
  if (pick(2)) {
    order(g.write_end, add(OP_READ_LOCK, t, 0));
    g.readers[t] = 1;
    return true;
  }
  if (readers) return false;
  int i = add(OP_WRITE_LOCK, t, 0);
  order(g.write_end, i);
  for (int k = 0; k < g.nread_ends; k++) order(g.read_ends[k], i);
  g.writer = t;
  return true;
}

static bool use_semaphore(int t) {
  if (g.post < 0) {
    g.post = add(OP_POST, t, 0);
  } else {
    order(g.post, add(OP_POST_WAIT, t, 0));
    g.post = -1;
  }
  return true;
}

/* Stores are never relaxed: what such a store leaves of a release sequence changed with C11's successors. */
static bool use_atomic(int t) {
  static const enum op ops[] = {OP_LOAD, OP_STORE, OP_ADD};
  int x = (int)pick(ATOMICS), i = add(ops[pick(3)], t, x);
  struct operation *o = &g.ops[i];
  o->strong = o->op == OP_STORE || pick(2);
  if (o->op != OP_STORE && o->strong)
    for (int k = 0; k < i; k++)
      if (g.heads[x][k]) order(k, i);
  if (o->op == OP_STORE) memset(g.heads[x], 0, sizeof g.heads[x]);
  if (o->op != OP_LOAD && o->strong) g.heads[x][i] = true;
  return true;
}

static bool create_thread(int t) {
  int child = 1;
  while (child < THREADS && g.exists[child]) child++;
  if (child == THREADS || pick(2)) return false;
  g.exists[child] = g.alive[child] = g.joinable[child] = true;
  g.last[child] = add(OP_CREATE, t, child);
  return true;
}

static bool join_thread(int t) {
  int other = 1 + (int)pick(THREADS - 1);
  if (other == t || !g.exists[other] || !g.joinable[other]) return false;
  if (pick(6) == 0) {
    add(OP_DETACH, t, other);
    g.joinable[other] = false;
    return true;
  }
  if (g.alive[other]) return false;
  order(g.last[other], add(OP_JOIN, t, other));
  g.joinable[other] = false;
  return true;
}

static bool end_thread(int t) {
  if (t == 0 || pick(4) || holds_any(t)) return false;
  add(OP_END, t, 0);
  g.alive[t] = false;
  return true;
}

static int other_idle_thread(int t) {
  int first = (int)pick(THREADS);
  for (int k = 0; k < THREADS; k++) {
    int u = (first + k) % THREADS;
    if (u != t && g.alive[u]) return u;
  }
  return -1;
}

/* `t` waits, another thread wakes it: at once, for all turns between would have to leave the mutex alone. Only the lock's hand-over orders. */
static bool wait_for_signal(int t) {
  int u = other_idle_thread(t), m = (int)pick(MUTEXES);
  if (u < 0 || holds_any(t) || holds_any(u) || g.holder[m] >= 0 || g.count + 8 > OPS) return false;
  order(g.unlocked[m], add(OP_LOCK, t, m));
  int wait = add(OP_WAIT, t, m);
  for (unsigned k = pick(3); k > 0; k--) access_memory(u);
  order(wait, add(OP_LOCK, u, m));
  g.ops[wait].partner = add(OP_SIGNAL, u, m);
  int unlock = add(OP_UNLOCK, u, m);
  int woken = add(OP_WOKEN, t, m);
  order(unlock, woken);
  g.holder[m] = t;
  return true;
}

static bool meet_at_barrier(int t) {
  int u = other_idle_thread(t);
  if (u < 0 || g.count + 6 > OPS) return false;
  int a = add(OP_ENTER, t, 0);
  int b = add(OP_ENTER, u, 0);
  order(b, add(OP_LEAVE, t, 0));
  order(a, add(OP_LEAVE, u, 0));
  return true;
}

static void make_trace(uint64_t seed) {
  static bool (*const kinds[])(int) = {access_memory, access_memory, access_memory, access_memory, free_block,    use_mutex,      use_mutex,    use_mutex,
                                       use_spin_lock, use_rwlock,    use_rwlock,    use_semaphore, use_atomic,    use_atomic,     create_thread, create_thread,
                                       join_thread,   end_thread,    wait_for_signal, meet_at_barrier};
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15ull | 1;
  for (int i = 0; i < 8; i++) pick(2);
  for (int i = 0; i < THREADS; i++) g.last[i] = -1;
  for (int i = 0; i < MUTEXES; i++) g.holder[i] = g.unlocked[i] = -1;
  g.spinner = g.spun = g.writer = g.write_end = g.post = -1;
  g.exists[0] = g.alive[0] = true;
  for (int tries = 0; tries < 4000 && g.count < OPS - 8; tries++) {
    int t = (int)pick(THREADS);
    if (g.alive[t]) kinds[pick(sizeof kinds / sizeof kinds[0])](t);
  }
}

/* --- the program --- */

static const char *const prologue =
    "#define _GNU_SOURCE\n"
    "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/syscall.h>\n"
    "#include <unistd.h>\n"
    "#define UNSEEN __attribute__((no_sanitize(\"thread\"), noinline, unused)) static\n"
    "static volatile int turn;\n"
    "UNSEEN void await(int n) { for (int now; (now = turn) < n;) syscall(SYS_futex, &turn, 0, now, NULL); __asm__ volatile(\"\" ::: \"memory\"); }\n"
    "UNSEEN void done(int n) { __asm__ volatile(\"\" ::: \"memory\"); turn = n + 1; syscall(SYS_futex, &turn, 1, 1 << 30); }\n"
    "UNSEEN int came(int n) { return turn > n; }\n"
    "static pthread_t handles[6];\nUNSEEN pthread_t handle(int n) { return handles[n]; }\n"
    "UNSEEN void keep_handle(int n, pthread_t handle) { handles[n] = handle; }\n"
    "typedef unsigned char u1 __attribute__((aligned(1)));\ntypedef unsigned short u2 __attribute__((aligned(1)));\n"
    "typedef unsigned u4 __attribute__((aligned(1)));\ntypedef unsigned long u8 __attribute__((aligned(1)));\n"
    "static _Alignas(16) unsigned char shared[24];\nstatic unsigned char *block[3];\nstatic atomic_int atomics[2];\n"
    "static pthread_mutex_t mutex[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n"
    "static pthread_cond_t cond[3] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};\n"
    "static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;\nstatic pthread_spinlock_t spin;\nstatic sem_t sem;\n"
    "static pthread_barrier_t barrier;\n"
    "#define AT(i) await(i);\n#define DONE(i) done(i);\n";

static void print_bytes(const struct operation *o) {
  if (o->object < 0)
    printf("shared + %u", o->at);
  else
    printf("block[%d] + %u", o->object, (o->at - BYTES) % BLOCK_BYTES);
}

static void print_operation(int i, int number) {
  static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel"};
  const struct operation *o = &g.ops[i];
  bool returns = o->op == OP_WOKEN || o->op == OP_LEAVE; /* the call stands where it began */
  printf("#line %d\n  ", number * 1000 + i + 1);
  if (!returns) printf("AT(%d) ", i);
  switch (o->op) {
    case OP_READ:
      printf("(void)*(volatile u%u *)(", o->size), print_bytes(o), printf(");");
      break;
    case OP_WRITE:
      printf("*(volatile u%u *)(", o->size), print_bytes(o), printf(") = 1;");
      break;
    case OP_COPY:
      printf("{ static volatile unsigned size = %u; unsigned char from[24] = {1}; memcpy(", o->size), print_bytes(o), printf(", from, size); }");
      break;
    case OP_CLEAR:
      printf("{ static volatile unsigned size = %u; memset(", o->size), print_bytes(o), printf(", 1, size); }");
      break;
    case OP_FREE:
      printf("free(block[%d]);", o->object);
      break;
    case OP_LOCK:
      printf("pthread_mutex_lock(&mutex[%d]);", o->object);
      break;
    case OP_TRYLOCK:
      printf("if (pthread_mutex_trylock(&mutex[%d])) abort();", o->object);
      break;
    case OP_UNLOCK:
      printf("pthread_mutex_unlock(&mutex[%d]);", o->object);
      break;
    case OP_READ_LOCK:
      printf("pthread_rwlock_rdlock(&rwlock);");
      break;
    case OP_WRITE_LOCK:
      printf("pthread_rwlock_wrlock(&rwlock);");
      break;
    case OP_RW_UNLOCK:
      printf("pthread_rwlock_unlock(&rwlock);");
      break;
    case OP_SPIN_LOCK:
      printf("pthread_spin_lock(&spin);");
      break;
    case OP_SPIN_UNLOCK:
      printf("pthread_spin_unlock(&spin);");
      break;
    case OP_POST:
      printf("sem_post(&sem);");
      break;
    case OP_POST_WAIT:
      printf("sem_wait(&sem);");
      break;
    case OP_LOAD:
      printf("atomic_load_explicit(&atomics[%d], memory_order_%s);", o->object, orders[o->strong]);
      break;
    case OP_STORE:
      printf("atomic_store_explicit(&atomics[%d], 1, memory_order_release);", o->object);
      break;
    case OP_ADD:
      printf("atomic_fetch_add_explicit(&atomics[%d], 1, memory_order_%s);", o->object, o->strong ? "acq_rel" : "relaxed");
      break;
    case OP_CREATE:
      printf("{ pthread_t h; if (pthread_create(&h, NULL, t%d_%d, NULL)) abort(); keep_handle(%d, h); }", number, o->object, o->object);
      break;
    case OP_JOIN:
      printf("pthread_join(handle(%d), NULL);", o->object);
      break;
    case OP_DETACH:
      printf("pthread_detach(handle(%d));", o->object);
      break;
    case OP_END:
      printf("DONE(%d) return NULL;\n", i);
      return;
    case OP_WAIT: /* its turn ends with the mutex still held: who locks it next waits for it to be released inside */
      printf("DONE(%d) do pthread_cond_wait(&cond[%d], &mutex[%d]); while (!came(%d));\n", i, o->object, o->object, o->partner);
      return;
    case OP_SIGNAL:
      printf("pthread_cond_signal(&cond[%d]);", o->object);
      break;
    case OP_ENTER:
      printf("DONE(%d) pthread_barrier_wait(&barrier);\n", i);
      return;
    case OP_WOKEN:
    case OP_LEAVE:
      printf("AT(%d) ", i);
      break;
  }
  printf(" DONE(%d)\n", i);
}

static void print_trace(int number) {
  for (int t = THREADS - 1; t >= 0; t--) {
    if (!g.exists[t]) continue;
    printf("static void *t%d_%d(void *unused) {\n", number, t);
    for (int i = 0; i < g.count; i++)
      if (g.ops[i].thread == t) print_operation(i, number);
    printf("  await(%d);\n  return unused;\n}\n", g.count); /* a thread that does not end in the trace ends behind it */
  }
}

static void print_programs(uint64_t seed, int count) {
  fputs(prologue, stdout);
  for (int n = 0; n < count; n++) {
    make_trace(seed + (uint64_t)n);
    for (int t = 1; t < THREADS; t++)
      if (g.exists[t]) printf("static void *t%d_%d(void *);\n", n, t);
    print_trace(n);
  }
  printf("#line %d\nint main(int argc, char **argv) {\n  static void *(*const traces[])(void *) = {", count * 1000 + 1);
  for (int n = 0; n < count; n++) printf("t%d_0, ", n);
  printf("};\n  for (int i = 0; i < 3; i++) block[i] = malloc(%d);\n  pthread_spin_init(&spin, 0);\n  sem_init(&sem, 0, 0);\n"
         "  pthread_barrier_init(&barrier, NULL, 2);\n  traces[atoi(argc > 1 ? argv[1] : \"0\")](NULL);\n  exit(0);\n}\n",
         BLOCK_BYTES);
}

/* --- the check --- */

static bool is_access(const struct operation *o) { return o->op <= OP_FREE; }
static bool writes(const struct operation *o) { return o->op != OP_READ; }

static bool overlap(const struct operation *a, const struct operation *b, unsigned byte) {
  return byte - a->at < a->size && byte - b->at < b->size;
}

/* Do a, the earlier one, and b race on that byte? */
static bool races(int a, int b, unsigned byte) {
  const struct operation *x = &g.ops[a], *y = &g.ops[b];
  return is_access(x) && is_access(y) && (writes(x) || writes(y)) && !y->before[a] && x->thread != y->thread && overlap(x, y, byte);
}

static bool race_at_all(int a, int b) {
  for (unsigned byte = 0; byte < MEMORY; byte++)
    if (races(a, b, byte)) return true;
  return false;
}

/* The lines of the finding's two operations as numbers; false: it is something else. */
static bool read_pair(const char *finding, int number, int *first, int *second) {
  const char *at = strstr(finding, "\"sites\": [");
  int previous = -1, later = -1;
  while (at && (at = strstr(at, "{\"thread\": "))) {
    const char *line = strstr(at, "\"line\": "), *role = strstr(at, "\"previous\": "), *stack = strstr(at, "\"stack\": ");
    if (!line || !role || !stack || role > stack) break;
    int n = atoi(line + 8) - 1 - number * 1000;
    if (strncmp(role + 12, "true", 4) == 0)
      previous = n;
    else
      later = n;
    at = stack;
    if (previous >= 0 && later >= 0) break;
  }
  *first = previous, *second = later;
  return previous >= 0 && previous < g.count && later >= 0 && later < g.count;
}

static int check(uint64_t seed, int number, const char *path) {
  static char line[1 << 20];
  bool named[OPS] = {false};
  int wrong = 0, races_found = 0;
  make_trace(seed + (uint64_t)number);
  FILE *in = fopen(path, "r");
  if (!in) return perror(path), 2;
  bool complete = false;
  while (fgets(line, sizeof line, in)) {
    int a, b;
    complete |= strncmp(line, "{\"kind\": \"summary\"", 18) == 0;
    bool race = strncmp(line, "{\"kind\": \"data-race\"", 20) == 0 || strncmp(line, "{\"kind\": \"use-after-free\"", 25) == 0;
    if (!race || !strstr(line, "\"confirmed\": true")) {
      if (race || strncmp(line, "{\"kind\": \"summary\"", 18) == 0) continue; /* predictions are not decided here */
      if (strstr(line, "\"confirmed\": true")) wrong++, printf("trace %d: something else is found: %.300s\n", number, line);
      continue;
    }
    if (!read_pair(line, number, &a, &b)) {
      wrong++, printf("trace %d: what are its lines? %.300s\n", number, line);
      continue;
    }
    races_found++;
    if (!(a < b ? race_at_all(a, b) : race_at_all(b, a))) wrong++, printf("trace %d: %d and %d do not race: %.300s\n", number, a, b, line);
    named[a > b ? a : b] = true;
  }
  fclose(in);
  if (!complete) wrong++, printf("trace %d: its run has no summary\n", number);
  for (unsigned byte = 0; byte < MEMORY; byte++) {
    int first = g.count;
    for (int b = 0; b < g.count && first == g.count; b++)
      for (int a = 0; a < b; a++)
        if (races(a, b, byte)) first = b;
    if (first < g.count && !named[first]) wrong++, printf("trace %d: byte %u: the race of operation %d is not found\n", number, byte, first);
  }
  return wrong ? 1 : 0;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "programs") == 0) {
    print_programs(strtoull(argv[2], NULL, 0), atoi(argv[3]));
    return 0;
  }
  if (argc == 6 && strcmp(argv[1], "check") == 0) return check(strtoull(argv[2], NULL, 0), atoi(argv[4]), argv[5]);
  fprintf(stderr, "usage: random programs SEED COUNT | random check SEED COUNT NUMBER FILE\n");
  return 2;
}
