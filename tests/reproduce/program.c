/* Prints a random program with threads whose every run ends by abort(), after branches that say what became of all variables. So the log of
 * a run says what the run did, and an execution that follows the log must come to the same. With TELLS it also prints that. usage: program
 * SEED
 *
 * Nobody waits for ever: threads wait for a token, or at the semaphore, outside of all branches and loops, and main() gives as many. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, VARIABLES = 4, DEPTH = 2, OWN = 8 };

static uint64_t state;
static unsigned below(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

static void indent(int depth) { printf("%*s", 2 * depth + 2, ""); }

static void statements(int depth, unsigned n, int locked);

static unsigned tokens, posts; /* that threads wait for */

/* One more token, for one of those that wait, or as a change that all of them look at. */
static void give(void) {
  printf("pthread_mutex_lock(&m); tokens++; pthread_cond_%s(&c); pthread_mutex_unlock(&m);\n", below(3) ? "signal" : "broadcast");
}

static void wait_for_others(void) {
  if (below(2)) {
    tokens++;
    printf("pthread_mutex_lock(&m); while (tokens == 0) pthread_cond_wait(&c, &m); tokens--, r = r * 2 + tokens; pthread_mutex_unlock(&m);\n");
  } else {
    posts++;
    printf("sem_wait(&s);\n");
  }
}

static void statement(int depth, int locked) {
  unsigned a = below(VARIABLES), b = below(VARIABLES), c = 1 + below(5);
  /* Stores to memory of which others look at the first word alone: they wait in the buffer between those that others see. */
  if (below(4) == 0) indent(depth), printf("own[%u] = r, own[%u] = r;\n", below(OWN), below(OWN));
  if (below(8) == 0) indent(depth), printf("r += owns[%u][0];\n", below(2));
  indent(depth);
  switch (below(locked || depth > DEPTH ? 6 : depth > 0 ? 14 : 16)) {
    case 0: printf("x%u = %u;\n", a, c); return;
    case 1: printf("x%u = x%u + %u;\n", a, b, c); return;
    case 2: printf("r = r * 3 + x%u;\n", a); return;
    case 3: printf("__atomic_fetch_add(&n%u, %u, __ATOMIC_SEQ_CST);\n", a, c); return;
    case 4: printf("r += __atomic_exchange_n(&n%u, r & 7, __ATOMIC_SEQ_CST);\n", a); return;
    case 5: printf("if (x%u > x%u) r++; else x%u = r & 15;\n", a, b, b); return;
    case 6:
      printf("if (x%u %s %u) {\n", a, below(2) ? "<" : "==", c);
      statements(depth + 1, 1 + below(2), 0);
      break;
    case 7:
      printf("for (int i%d = 0; i%d < 2 + (x%u & 3); i%d++) {\n", depth, depth, a, depth);
      statements(depth + 1, 1 + below(2), 0);
      break;
    case 8:
    case 9: give(); return;
    case 10: printf("sem_post(&s);\n"); return;
    case 11: printf("{ int e = %u; if (__atomic_compare_exchange_n(&n%u, &e, r & 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) r++; else r += e; }\n", b, a); return;
    case 12: printf("r += __atomic_fetch_add(&mine, %u, __ATOMIC_RELAXED);\n", c); return; /* the thread's alone; its stores are seen before it */
    case 14:
    case 15: wait_for_others(); return;
    default:
      printf("pthread_mutex_lock(&m%u);\n", a & 1);
      statements(depth + 1, 1 + below(3), 1);
      indent(depth), printf("pthread_mutex_unlock(&m%u);\n", a & 1);
      return;
  }
  indent(depth), printf("}\n");
}

static void statements(int depth, unsigned n, int locked) {
  while (n-- > 0) statement(depth, locked);
}

/* Threads are made by a function that does more, some in a loop with branches: what is done before the first one is not in the log. */
static void make_threads(unsigned threads) {
  unsigned steps = 6 + below(8), every = 1 + below(4);
  printf("static void begin(pthread_t *t, void *(*routine)(void *), int k) {\n");
  printf("  if (k & 1) sink++;\n  pthread_create(t, NULL, routine, NULL);\n  if (sink > k) sink--;\n}\n");
  printf("static int prepare(pthread_t *t) {\n  static void *(*const routines[])(void *) = {");
  for (unsigned i = 0; i < threads; i++) printf("thread%u, ", i);
  printf("};\n  int made = 0, sum = 1;\n  for (int k = 0; k < %u; k++) {\n", steps);
  printf("    if (sink & 1) sum += k; else sum = sum * 2 - made;\n    sink = sink + (sum & 3);\n");
  printf("    if (sum %% %u == 0 && made < %u) begin(&t[made], routines[made], k), made++;\n", every, threads);
  printf("    else if (sum > 40) sum -= 37, tell(sum);\n  }\n");
  printf("  for (; made < %u; made++) begin(&t[made], routines[made], sum);\n  return sum & 255;\n}\n", threads);
}

int main(int argc, char **argv) {
  state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 0;
  unsigned threads = 2 + below(THREADS - 1);
  below(2);
  printf("#include <pthread.h>\n#include <semaphore.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n");
  for (int i = 0; i < VARIABLES; i++) printf("static volatile int x%d; static int n%d;\n", i, i);
  printf("static volatile int sink, results[%d], owns[%d][%d];\nstatic pthread_barrier_t start;\n", THREADS, THREADS, OWN);
  printf("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n");
  printf("static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic sem_t s;\nstatic int tokens;\n");
  for (unsigned t = 0; t < threads; t++) {
    printf("static void *thread%u(void *unused) {\n  int r = 0, mine = 0;\n  volatile int *own = owns[%u];\n  pthread_barrier_wait(&start);\n", t, t);
    if (below(2)) indent(0), wait_for_others();
    statements(0, 3 + below(4), 0);
    printf("  results[%u] = r;\n  return unused;\n}\n", t);
  }
  printf("static void tell(int value) {\n#ifdef TELLS\n  dprintf(2, \"%%d\\n\", value);\n#endif\n  for (volatile int v = value, i = 0; i < 12; v = v >> 1, i = i + 1)\n    if (v & 1) sink++;\n}\n");
  unsigned prepared = below(2);
  if (prepared) make_threads(threads);
  printf("int main(void) {\n  pthread_t t[%u];\n  pthread_barrier_init(&start, NULL, %u);\n  sem_init(&s, 0, 0);\n", threads, threads);
  if (prepared) printf("  int sum = prepare(t);\n");
  for (unsigned t = 0; t < threads && !prepared; t++) printf("  pthread_create(&t[%u], NULL, thread%u, NULL);\n", t, t);
  for (; tokens > 0; tokens--) {
    if (below(2)) printf("  usleep(300);\n"); /* others come to wait */
    indent(0), give();
  }
  for (; posts > 0; posts--) printf("  sem_post(&s);\n");
  for (unsigned t = 0; t < threads; t++) printf("  pthread_join(t[%u], NULL);\n", t);
  for (int i = 0; i < VARIABLES; i++) printf("  tell(x%d), tell(n%d);\n", i, i);
  printf("  tell(tokens);\n");
  if (prepared) printf("  tell(sum);\n");
  for (unsigned t = 0; t < threads; t++) printf("  tell(results[%u]);\n", t);
  printf("  abort();\n}\n");
  return 0;
}
