# Objects: what heddle check --linearizable says of them, and of what is none. tests/programs/objects has those of the literature.
. "$(dirname "$0")/lib.sh"

objects=$root/tests/programs/objects
head='#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;'
# object FILE CODE: a program.
object() { printf '%s\n%s\n' "$head" "$2" >"$1"; }
begin='HD_BEGIN(void) {}'
count='HD_OPERATION(count) { return x++; }'
lossy='HD_OPERATION(add, int by) { int was = x; x = was + by; return was + by; }'

# A proof says of what it is one, and the table of a finding what happened.
object right.c "$begin $count"
run check --linearizable right.c
expect_code 0
expect_line out "SAFE: linearizable: 5 scenarios of up to 2 threads with 2 operations each, all explored completely; no finding"
run check --linearizable --threads=3 --operations=1 right.c
expect_line out "SAFE: linearizable: 3 scenarios of up to 3 threads with 1 operation each, all explored completely; no finding"
run check --linearizable --scenario='count() | count() count()' right.c
expect_line out "SAFE: linearizable: the scenario count() | count() count(), explored completely; no finding"
run check --linearizable --json right.c
expect_in out '"claim": "linearizable: 5 scenarios of up to 2 threads with 2 operations each, all explored completely"'

object wrong.c "$begin $lossy"
run check --linearizable --schedule=s wrong.c
expect_code 1
expect_line out "not-linearizable: no order of the operations gives these results: add(1) = 1 | add(1) = 1"
expect_line out "  thread 0.1  thread 0.2"
expect_line out "  add(1) ..."
expect_line out "              add(1) = 1"
expect_line out "  add(1) = 1"
expect_line out "  0.1 add(1), 0.2 add(1): the last one would return 2"
expect_line out "  0.2 add(1), 0.1 add(1): the last one would return 2"
# The interleaving names operations, and has nothing of the main() that calls them.
expect_in out "begins add(1)"
expect_in out "ends add(1) = 1"
expect_not_in out "main"
expect_not_in out "call()"
# The schedule shows it again, byte for byte, and says which scenario it is.
sed '/^BUG: /,$d' out | sed '$d' >shown
run replay s
expect_code 1
cp out again
expect_same shown again
expect_in s 'scenario "add(1) | add(1)"'
# Several workers say the same.
run check --linearizable -j 2 --no-schedule wrong.c
expect_code 1
expect_in out "no order of the operations gives these results: add(1) = 1 | add(1) = 1"
run check --linearizable -j 2 right.c
expect_code 0
# What was not explored is named.
run check --linearizable --executions=2 right.c
expect_code 3
expect_in out "scenarios were not explored completely: "
expect_in out "(the limit on executions was reached)"

object slow.c "$begin HD_OPERATION(slow) { for (volatile int i = 0; i < 100000; i++) {} return x++; }"
run check --linearizable --operations=8 --time=5 slow.c
expect_code 3
expect_in out "scenarios were not explored, those with most operations"
expect_line out "  not covered: the time limit was reached"

# An interruption ends all scenarios, not the present one alone.
ran="an interrupted check"
timeout -k 30 6 "$heddle" check --linearizable --no-schedule --threads=3 --operations=3 --arguments=1 -DFIXED "$objects/ms_queue.c" >out 2>err
expect_line out "  not covered: the exploration was interrupted"

# Every failing scenario is minimal: without any one of its operations it is right.
minimal() {
  run check --linearizable --schedule=m "$@"
  expect_code 1
  scenario=$(sed -n 's/^scenario "\(.*\)"$/\1/p' m)
  [ -n "$scenario" ] || fail "$ran: no scenario in the schedule"
  echo "$scenario" | awk '{
    n = 0
    for (i = 1; i <= length($0); i++) if (substr($0, i, 1) == ")") n++
    for (drop = 1; drop <= n; drop++) {
      out = ""; k = 0; threads = split($0, thread, " [|] ")
      for (t = 1; t <= threads; t++) {
        rest = thread[t]; kept = ""
        while (match(rest, /[a-z_]+[(][^)]*[)]/)) {
          if (++k != drop) kept = kept (kept == "" ? "" : " ") substr(rest, RSTART, RLENGTH)
          rest = substr(rest, RSTART + RLENGTH)
        }
        if (kept != "") out = out (out == "" ? "" : " | ") kept
      }
      if (out != "") print out
    }
  }' >smaller
  while read -r less; do
    run check --linearizable --no-schedule --scenario="$less" "$@"
    [ "$code" = 0 ] || { fail "$*: $scenario is not minimal: $less"; cat out err; }
  done <smaller
}
for file in ms_queue treiber_stack lazy_list hash_map snapshot bounded_buffer elimination_stack upgraded_lock reference_count; do
  # shellcheck disable=SC2046
  minimal $(sed -n 's,^// options: --linearizable,,p' "$objects/$file.c" | head -1) "$objects/$file.c"
done
minimal --memory=tso --arguments=1 "$objects/chase_lev.c"

# An operation that blocks where nobody helps it is no finding; one that an order of the operations would let end is.
object blocks.c '#include <semaphore.h>
static sem_t s;
HD_BEGIN(void) { sem_init(&s, 0, 0); }
HD_OPERATION(post) { sem_post(&s); return 0; }
HD_OPERATION(wait) { sem_wait(&s); return 0; }'
run check --linearizable blocks.c
expect_code 0
object forgets.c '#include <semaphore.h>
static sem_t s;
HD_BEGIN(void) { sem_init(&s, 0, 0); }
HD_OPERATION(post) { if (x++) sem_post(&s); return 0; }
HD_OPERATION(wait) { int was = x; x = 1; if (!was) return 0; sem_wait(&s); return 0; }'
run check --linearizable --no-schedule forgets.c
expect_code 1

# The same of operations that wait in a loop: alone they come back to a state, so they are not possible there.
place='static atomic_int full; static int value; HD_BEGIN(void) {}'
object spins.c "$place
HD_OPERATION(put, int v) { while (full) {} value = v; full = 1; return 0; }
HD_OPERATION(get) { while (!full) {} int v = value; full = 0; return v; }"
run check --linearizable --scenario='put(1) put(2) | get() get()' spins.c
expect_code 0
run check --linearizable --scenario='get() | get() put(1)' spins.c
expect_code 0
run check --linearizable --no-schedule --ignore=data-race --arguments=1 spins.c
expect_code 1
expect_in out "no order of the operations gives these results: put(1) = 0 | put(1) = 0"
expect_in out "0.1 put(1), 0.2 put(1): the last one would not end"
object polls.c '#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int full, value; HD_BEGIN(void) {}
HD_OPERATION(put, int v) { for (;;) { pthread_mutex_lock(&m); int was = full; if (!was) full = 1, value = v; pthread_mutex_unlock(&m); if (!was) return 0; } }
HD_OPERATION(get) { for (;;) { pthread_mutex_lock(&m); int was = full, v = value; full = 0; pthread_mutex_unlock(&m); if (was) return v; } }'
exchanging='static atomic_int held; static int full, value; HD_BEGIN(void) {}
static void lock(void) { while (atomic_exchange(&held, 1)) {} }
static void unlock(void) { atomic_store(&held, 0); }
HD_OPERATION(put, int v) { for (;;) { lock(); int was = full; if (!was) full = 1, value = v; unlock(); if (!was) return 0; } }'
object exchanges.c "$exchanging
HD_OPERATION(get) { for (;;) { lock(); int was = full, v = value; full = 0; unlock(); if (was) return v; } }"
for file in polls exchanges; do
  for strategy in maximal dpor; do
    run check --linearizable --arguments=1 --strategy=$strategy --scenario='put(1) | get() get()' $file.c
    expect_code 0
    run check --linearizable --arguments=1 --strategy=$strategy --scenario='put(1) put(1) | get()' $file.c
    expect_code 0
  done
  run check --linearizable --arguments=1 $file.c
  expect_code 0
done
# One that goes on waiting though an order would let it end.
object misses.c "$exchanging
HD_OPERATION(get) { lock(); int was = full; unlock(); if (was) { lock(); int v = value; full = 0; unlock(); return v; } for (;;) { lock(); unlock(); } }"
run check --linearizable --no-schedule --arguments=1 --scenario='put(1) | get()' misses.c
expect_code 1
expect_in out "livelock: "
object lock.c "static atomic_int held; static int n; HD_BEGIN(void) {}
HD_OPERATION(count) { while (atomic_exchange(&held, 1)) {} int was = n++; held = 0; return was; }"
run check --linearizable lock.c
expect_code 0

# What the operations leave behind, and what nobody else sees, count by HD_STATE alone.
object silent.c "$begin HD_OPERATION(add) { int was = x; x = was + 1; return 0; }"
run check --linearizable silent.c
expect_code 0
object stated.c "$begin HD_OPERATION(add) { int was = x; x = was + 1; return 0; } HD_STATE { return (unsigned long)x; }"
run check --linearizable --no-schedule stated.c
expect_code 1
expect_line out "not-linearizable: no order of the operations gives these results and this state at the end: add() = 0 | add() = 0"
expect_line out "  0.1 add(), 0.2 add(): the state at the end would be 2"

# Another implementation of the same operations says what they return.
object model.c "static int n; $begin HD_OPERATION(count) { return n++; }"
object other.c "static int n; $begin HD_OPERATION(count) { return n += 2; }"
object fails.c "$begin HD_OPERATION(count) { hd_assert(0); return 0; }"
run check --linearizable --model=model.c right.c
expect_code 0
run check --linearizable --model=other.c --schedule=s right.c
expect_code 1
expect_line out "not-linearizable: no order of the operations gives these results: count() = 0"
expect_line out "  0.1 count(): the last one would return 2"
run replay s
expect_code 1
expect_line out "  0.1 count(): the last one would return 2"
run check --linearizable --model=fails.c right.c
expect_code 2
expect_in err "operation count(), run while nobody else uses the object, fails in the model"
run check --linearizable --model=wrong.c right.c
expect_complaint "wrong.c has not the same operations as right.c"

# What check finds anyway is found.
object fails.c "$begin HD_OPERATION(once) { hd_assert(x == 0); x = 1; return 0; }"
run check --linearizable --no-schedule fails.c
expect_code 1
expect_in out "assertion: hd_assert failed"
object races.c "static int plain; $begin HD_OPERATION(count) { return plain++; }"
run check --linearizable --no-schedule races.c
expect_code 1
expect_in out "data-race: "
object begins.c "HD_BEGIN(void) { hd_assert(0); } $count"
run check --linearizable --no-schedule begins.c
expect_code 1
object many.c "$begin $(for i in $(seq 64); do echo "HD_OPERATION(f$i) { return x++; }"; done)"
run check --linearizable --operations=1 many.c
expect_code 0
expect_in out "2144 scenarios"
object inline.c "static inline __attribute__((always_inline)) int f(void) { return x++; } $begin HD_OPERATION(f) { return f(); }"
run check --linearizable -O2 inline.c
expect_code 0

# One complaint each about what is no object.
object none.c "$begin"
run check --linearizable none.c
expect_complaint "none.c has no operations, which --linearizable is about"
object nobegin.c "$count"
run check --linearizable nobegin.c
expect_complaint "nobegin.c has operations, but no HD_BEGIN"
object main.c "$begin $count int main(void) { return 0; }"
run check --linearizable main.c
expect_complaint "main.c has operations, and a function 'main' as well"
object real.c "$begin HD_OPERATION(f, double d) { return d > 0; }"
run check --linearizable real.c
expect_complaint "real.c:5: parameter 1 of operation f is no integer of at most 64 bits"
object seven.c "$begin HD_OPERATION(f, int a, int b, int c, int d, int e, int g, int h) { return a + b + c + d + e + g + h; }"
run check --linearizable seven.c
expect_complaint "seven.c:5: operation f has more than 6 parameters"
alone() {
  object alone.c "$2"
  run check --linearizable alone.c
  expect_code 2
  expect_in err "operation f(), run while nobody else uses the object, $1"
}
alone "does not end" "$begin HD_OPERATION(f) { for (;;) x++; return 0; }"
alone "makes a choice" "$begin HD_OPERATION(f) { return (long)hd_choose(2); }"
alone "ends the process" "$begin HD_OPERATION(f) { exit(0); return 0; }"
object ends.c "HD_BEGIN(void) { exit(0); } $count"
run check --linearizable ends.c
expect_complaint "HD_BEGIN ends the process, so no operation is done"
object effect.c "$begin $count HD_STATE { return (unsigned long)x++; }"
run check --linearizable effect.c
expect_code 2
expect_in err "HD_STATE is not supported here: it changes memory"
object coarse.c "$begin HD_OPERATION(set, int to) { x = to; return 0; } HD_OPERATION(get) { return x; } HD_STATE { return 0; }"
run check --linearizable coarse.c
expect_code 2
expect_in err "HD_STATE is the same after two orders of operations behind which others return different results"
run check --linearizable --scenario='count() | other()' right.c
expect_complaint "scenario \"count() | other()\", column 11: there is no operation of that name"
run check --linearizable --threads=9 right.c
expect_complaint "--threads takes a number from 1 to 8"
run check --scenario='count()' right.c
expect_complaint "--scenario is for --linearizable"
run check --linearizable right.c -- argument
expect_complaint "arguments of the program (--) and --linearizable exclude each other"
# An object is no program by itself.
run check right.c
expect_code 2
expect_in err "no function 'main'"

done_testing
