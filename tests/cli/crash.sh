# Crashes: what heddle check --linearizable --crash says of objects one of whose users stops in the midst of an operation.
. "$(dirname "$0")/lib.sh"

object() { printf '#include <heddle.h>\n#include <errno.h>\n#include <pthread.h>\n#include <stdatomic.h>\n%s\n' "$2" >"$1"; }

# held FILE WAITS OPTION...: others wait for ever where a thread crashes, and only then.
held() {
  file=$1 waits=$2
  shift 2
  run check --linearizable "$@" "$file"
  expect_code 0
  run check --linearizable --crash --schedule=s "$@" "$file"
  expect_code 1
  expect_in out "has crashed; thread 0."
  expect_in out "$waits"
  expect_in out "  crashed   $file:"
  expect_in s " crashes after "
  sed '/^BUG: /,$d' out | sed '$d' >shown
  run replay s
  expect_code 1
  cp out again
  expect_same shown again
}

object locks.c 'static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n; HD_BEGIN(void) {}
HD_OPERATION(count) { pthread_mutex_lock(&m); int was = n++; pthread_mutex_unlock(&m); return was; }'
held locks.c "waits for mutex m"
object spins.c 'static atomic_int held; static int n; HD_BEGIN(void) {}
HD_OPERATION(count) { while (atomic_exchange(&held, 1)) {} int was = n++; held = 0; return was; }'
held spins.c "waits for a change of what it reads in a loop"
for memory in tso pso; do
  run check --linearizable --crash --no-schedule --memory=$memory spins.c
  expect_code 1
done
for strategy in dpor naive icb unfolding; do
  run check --linearizable --crash --no-schedule --strategy=$strategy --scenario='count() | count()' locks.c
  expect_code 1
  expect_in out "has crashed; thread 0."
done
# A reader that waits until both words are the same waits for a writer that has stopped between them.
object pairs.c 'static atomic_int a, b; HD_BEGIN(void) {}
HD_OPERATION(set) { a = 1; b = 1; return 0; }
HD_OPERATION(get) { int is; while ((is = b) != a) {} return is; }'
held pairs.c "waits for a change of what it reads in a loop" --scenario='set() | get()'

# Who uses no lock is not held up, and who can recover one recovers it.
object exchanges.c 'static atomic_int n; HD_BEGIN(void) {}
HD_OPERATION(count) { int was = n; while (!atomic_compare_exchange_weak(&n, &was, was + 1)) {} return was; }'
run check --linearizable --crash exchanges.c
expect_code 0
expect_line out "SAFE: linearizable, also if a thread crashes in an operation: 5 scenarios of up to 2 threads with 2 operations each, all explored completely; no finding"
robust='static pthread_mutex_t m; static int n;
HD_BEGIN(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
}'
object robust.c "$robust
HD_OPERATION(count) { if (pthread_mutex_lock(&m) == EOWNERDEAD) pthread_mutex_consistent(&m); int was = n++; pthread_mutex_unlock(&m); return was; }"
run check --linearizable --crash robust.c
expect_code 0
# One that takes back what the crashed operation may have done, also where it was seen.
object torn.c "$robust
HD_OPERATION(count) { int dead = pthread_mutex_lock(&m); if (dead) pthread_mutex_consistent(&m), n = 0; int was = n; n = was + 1; pthread_mutex_unlock(&m); return was; }"
run check --linearizable torn.c
expect_code 0
run check --linearizable --crash --schedule=s torn.c
expect_code 1
expect_in out "not-linearizable: no order of the operations gives these results: "
expect_in out "count() pending"
run replay s
expect_code 1
# What waits for the crashed operation where it would wait alone may go on waiting.
object semaphore.c '#include <semaphore.h>
static sem_t s; HD_BEGIN(void) { sem_init(&s, 0, 0); }
HD_OPERATION(post) { sem_post(&s); return 0; }
HD_OPERATION(wait) { sem_wait(&s); return 0; }'
run check --linearizable --crash semaphore.c
expect_code 0
# A thread that goes round in a loop crashes once at each of its places.
object waits.c 'static atomic_int full; HD_BEGIN(void) {}
HD_OPERATION(put) { full = 1; return 0; }
HD_OPERATION(get) { while (!full) pthread_testcancel(); return 0; }'
run check --linearizable --crash waits.c
expect_code 0

run check --linearizable --no-schedule --scenario='count() | count(); thread 2 crashes after 1 step' locks.c
expect_code 1
run check --linearizable --scenario='count() | count(); thread 2 crashes after 0 steps' locks.c
expect_code 0
run check --linearizable --scenario='count() | count(); thread 3 crashes after 0 steps' locks.c
expect_code 2
expect_in err "there is no such thread"
run check --linearizable --scenario='count() | count(); thread 2 stops' locks.c
expect_code 2
expect_in err '"thread N crashes after N steps" is expected'
run check --crash locks.c
expect_complaint "--crash is for --linearizable"

done_testing
