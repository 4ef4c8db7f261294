# Progress: which objects heddle check --linearizable --progress takes for which, and what it shows of others.
. "$(dirname "$0")/lib.sh"

objects=$root/tests/programs/objects
object() { printf '#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n%s\n' "$2" >"$1"; }

# progress FILE OBSTRUCTION-FREE LOCK-FREE WAIT-FREE OPTION...: yes or no.
progress() {
  file=$1 answers="$2 $3 $4"
  shift 4
  for condition in obstruction-free lock-free wait-free; do
    answer=${answers%% *} answers=${answers#* }
    run check --linearizable --progress=$condition --schedule=s "$@" "$file"
    if [ "$answer" = yes ]; then
      expect_code 0
      expect_in out "SAFE: linearizable and $condition: "
    else
      expect_code 1
      expect_in out "not-$condition: "
      sed '/^BUG: /,$d' out | sed '$d' >shown
      run replay s
      expect_code 1
      cp out again
      expect_same shown again
    fi
  done
}

object adds.c 'static atomic_uchar n; HD_BEGIN(void) {}
HD_OPERATION(count) { return (long)(atomic_fetch_add(&n, 64) / 64); }'
progress adds.c yes yes yes
object exchanges.c 'static atomic_int n; HD_BEGIN(void) {}
HD_OPERATION(count) { int was = n; while (!atomic_compare_exchange_weak(&n, &was, (was + 1) % 4)) {} return was; }'
progress exchanges.c yes yes no
# A stack as that of Treiber, of one node for each argument; the head has a count of two bits.
object stack.c 'static atomic_uint head; static atomic_uint next[3]; HD_BEGIN(void) {}
HD_OPERATION(push, unsigned i) {
  unsigned h = head;
  do next[i] = h & 3;
  while (!atomic_compare_exchange_weak(&head, &h, i | ((h + 4) & 12)));
  return 0;
}
HD_OPERATION(pop) {
  unsigned h = head, n;
  do {
    if (!(h & 3)) return 0;
    n = next[h & 3];
  } while (!atomic_compare_exchange_weak(&head, &h, n | ((h + 4) & 12)));
  return h & 3;
}'
progress stack.c yes yes no --scenario='push(1) pop() | push(2) pop()'
# Two flags, each of which makes its owner back off when it sees the other.
object flags.c 'static atomic_int flag[2], n; HD_BEGIN(void) {}
static long enter(int i) {
  for (;;) {
    flag[i] = 1;
    if (!flag[1 - i]) break;
    flag[i] = 0;
  }
  n = (n + 1) % 2;
  flag[i] = 0;
  return 0;
}
HD_OPERATION(first) { return enter(0); }
HD_OPERATION(second) { return enter(1); }'
progress flags.c no no no
# A claim of two words that the other one takes away: who runs alone has both.
object claims.c 'static atomic_int owner[2]; HD_BEGIN(void) {}
static long claim(int i) {
  do owner[0] = i, owner[1] = i;
  while (owner[0] != i || owner[1] != i);
  return 0;
}
HD_OPERATION(first) { return claim(1); }
HD_OPERATION(second) { return claim(2); }'
progress claims.c yes no no
object spins.c 'static atomic_int held; static int n; HD_BEGIN(void) {}
HD_OPERATION(count) { while (atomic_exchange(&held, 1)) {} int was = n; n = (n + 1) % 4; held = 0; return was; }'
progress spins.c no no no
expect_in out "does not end, however many steps it takes: the last 1 step leads back to the same state"
object locks.c 'static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n; HD_BEGIN(void) {}
HD_OPERATION(count) { pthread_mutex_lock(&m); int was = n; n = (n + 1) % 4; pthread_mutex_unlock(&m); return was; }'
progress locks.c no no no
expect_in out "waits for m, held by thread 0.1"
# The queue of Michael and Scott, whose operations help each other on.
run check --linearizable --progress=lock-free -DFIXED --arguments=1 "$objects/ms_queue.c"
expect_code 0
expect_in out "linearizable and lock-free"

# What has too many states is not decided: each node has a new address.
object allocates.c '#include <stdlib.h>
struct node { struct node *next; };
static _Atomic(struct node *) head; HD_BEGIN(void) {}
HD_OPERATION(push) {
  struct node *n = malloc(sizeof *n);
  n->next = head;
  while (!atomic_compare_exchange_weak(&head, &n->next, n)) {}
  return 0;
}'
run check --linearizable --progress=wait-free --scenario='push() | push()' --no-leaks allocates.c
expect_code 3
expect_in out "not covered: of 1 of 1 scenarios it is not known whether they are wait-free: push() | push() (there are more than 65,536 states)"
# What counts on is not, either, and that is known at once: it has one way without an end.
object counts.c 'static atomic_int n; HD_BEGIN(void) {} HD_OPERATION(count) { return n++; }'
run check --linearizable --progress=wait-free --scenario='count()' counts.c
expect_code 3
expect_in out "count() (there are states more than 4,096 steps away)"
run check --linearizable --progress=lock-free --scenario='push() | push()' --no-leaks allocates.c
expect_code 0
run check --linearizable --progress=lock-free --ignore=not-lock-free spins.c
expect_code 0
expect_in out "SAFE: linearizable: "

run check --linearizable --progress=fast adds.c
expect_complaint "--progress takes obstruction-free, lock-free or wait-free"
run check --linearizable --progress=lock-free --memory=tso adds.c
expect_code 2
expect_in err "--progress is asked under --memory=sc alone"
run check --progress=lock-free adds.c
expect_complaint "--progress is for --linearizable"

done_testing
