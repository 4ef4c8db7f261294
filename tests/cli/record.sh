# heddle record and heddle reproduce: a native run that fails leaves a log, from which an execution is found that fails in the same way.
. "$(dirname "$0")/lib.sh"

compile() { "$heddle" cc -g -O2 -pthread "$1.c" -o "$1" || fail "$1.c does not compile"; }
# Records a run of the program, which ends with that code, and finds it again: the report has the text, and so has the replay.
reproduce() { # PROGRAM CODE TEXT [OPTION..]
  program=$1 expected=$2 text=$3
  shift 3
  run record --hang=3 "./$program"
  expect_code "$expected"
  run reproduce --time=60 -o "$program.schedule" "$@" "$program.paths"
  expect_code 1
  expect_in out "$text"
  run replay "$program.schedule"
  expect_code 1
  expect_in out "$text"
}

# An update is lost. The sleeps see to it that it happens; they are no steps of the machine's.
cat >lost.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static volatile int balance;
static void *slow(void *unused) {
  for (int i = 0; i < 100; i++) balance = balance + 1;
  int before = balance;
  usleep(300000);
  balance = before + 1;
  return unused;
}
static void *quick(void *unused) {
  usleep(100000);
  for (int i = 0; i < 50; i++) balance = balance + 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, slow, NULL);
  pthread_create(&b, NULL, quick, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance != 101);
  return 0;
}
END
compile lost
reproduce lost 134 "assertion \`balance != 101' failed"
expect_in out "interleaving: "
run record ./lost
expect_in err "heddle: the run ended by signal 6 ("
expect_in err "to find such an execution: heddle reproduce lost.paths"
grep -qxF "program $(realpath lost)" lost.schedule || fail "the schedule does not name the program"
grep -qxF recorded lost.schedule || fail "the schedule does not say how the program is built"

# Another way of a switch, and of a loop, in a thread that is not main's child.
cat >ways.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int command, turns;
static void *worker(void *unused) {
  for (int i = 0; i < 3; i++) turns++;
  switch (command) {
    case 3: turns += 10; break;
    case 40: turns += 20; break;
    case -7: turns += 30; break;
    default: turns += 40;
  }
  if (turns == 33) abort();
  return unused;
}
static void *starter(void *unused) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  command = 40;
  command = -7;
  usleep(100000);
  command = 3;
  pthread_join(t, NULL);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, starter, NULL);
  pthread_join(t, NULL);
  return 0;
}
END
compile ways
run record --until-failure ./ways
expect_code 134
run reproduce --time=60 --no-schedule ways.paths
expect_code 1
expect_in out "ways.c:13"
expect_in out "thread 0.1.1"

# A deadlock: the run hangs and is stopped.
crossed stuck.c
sed -i 's/^#include <stdio.h>/&\n#include <unistd.h>/; s/^  pthread_mutex_lock.*/&\n  usleep(200000);/' stuck.c
compile stuck
reproduce stuck 137 "deadlock: "
run record --hang=1 ./stuck
expect_in err "heddle: the run hung"

# A pointer that another thread has taken away.
cat >gone.c <<'END'
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>
static int number;
static int *volatile shared = &number;
static void *taker(void *unused) {
  usleep(100000);
  shared = NULL;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, taker, NULL);
  if (shared) {
    usleep(300000);
    *shared = 1;
  }
  pthread_join(t, NULL);
  return 0;
}
END
compile gone
reproduce gone 139 "null-dereference: "

# Threads of C11; a child process is not recorded.
cat >standard.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
static volatile int value;
static int other(void *unused) {
  (void)unused;
  for (int i = 0; i < 200; i++) value = i;
  return value;
}
int main(int n, char **words) {
  thrd_t t;
  pid_t child = n > 1 ? fork() : 1;
  if (child == 0) {
    for (value = 0; value < 100000; value++);
    _exit(words[1][0] == 'x');
  }
  if (n > 1) waitpid(child, NULL, 0);
  if (thrd_create(&t, other, NULL) != thrd_success) return 1;
  thrd_join(t, NULL);
  if (value == 199) abort();
  return 0;
}
END
compile standard
reproduce standard 134 "abort: "
run record ./standard child
expect_code 134
expect_in err "192 KB of 2 threads"
run reproduce --no-schedule standard.paths
expect_code 2
expect_in err "fork is not supported"

# C++, with exceptions: which way they go is seen in the branches of who throws.
cat >thrown.cc <<'END'
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
static std::atomic<int> state;
static int look() {
  int seen = state.load();
  if (seen == 1) throw std::runtime_error("one");
  return seen;
}
int main() {
  std::thread t([] {
    state = 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    state = 2;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  bool caught = false;
  try {
    (void)look();
  } catch (const std::exception &e) {
    caught = std::string(e.what()) == "one";
  }
  t.join();
  if (caught && look() == 2) std::abort();
}
END
"$heddle" c++ -g -O2 thrown.cc -o thrown -pthread || fail "thrown.cc does not compile"
reproduce thrown 134 "abort"

# What a run is given from outside, its schedule gives again: the number of the process, the time, random numbers.
cat >given.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
static volatile int x;
static void *other(void *unused) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  x += now.tv_nsec / 7 % 2 + 1;
  return unused;
}
int main(void) {
  unsigned char bytes[5] = {0};
  pthread_t t;
  int turns = 0;
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return 1;
  for (int i = 0; i < bytes[4] % 16 + getpid() % 8; i++)
    if (putchar('a' + i) < 0) return 1;
  pthread_create(&t, NULL, other, NULL);
  for (time_t from = time(NULL); time(NULL) == from && turns < 3;) turns++;
  pthread_join(t, NULL);
  if (x == 1 + (turns > 5)) abort();
  return 0;
}
END
compile given
run record --until-failure ./given
expect_code 134
run reproduce --time=60 -o given.schedule given.paths
expect_code 1
expect_in out "abort: "
for name in getpid getrandom time clock_gettime; do grep -q "^data 0.* $name$" given.schedule || fail "given.schedule has no data of $name"; done
run replay given.schedule
expect_code 1
expect_in out "abort: "
sed 's/^\(data 0.1 [0-9]* \)[0-9a-f]\{32\} clock_gettime$/\100000000000000000700000000000000 clock_gettime/' given.schedule >other.schedule
run replay other.schedule
expect_not_in out "abort  <--"

# Where no execution does what the run did, the report says how far they go.
cat >differs.c <<'END'
#include <stdio.h>
#include <unistd.h>
void abort(void);
int main(void) {
  if (access("today.txt", R_OK) == 0) puts("today");
  abort();
}
END
compile differs
echo >today.txt
run record ./differs
run reproduce differs.paths
expect_code 3
expect_in out "no execution under sc goes as the recorded run and fails as it did"
expect_in out "had gone 0 of its 1 branches, when thread 0 went another way, at branch 1 of 1, at differs.c:5:7"
run reproduce --no-schedule --file=today.txt differs.paths
expect_code 1

# A library that is built again; what it is given is in its thread's log, too.
cat >library.c <<'END'
#include <unistd.h>
volatile int value;
int step(int n) {
  for (int i = 0; i < n; i++)
    if (value % 3 != 2)
      value = value + 1;
    else
      value += 2;
  return value + (getpid() == 1);
}
END
cat >loaded.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int step(int n);
static void *other(void *unused) {
  usleep(1000);
  step(5);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  step(4);
  pthread_join(t, NULL);
  if (step(0) > 3) abort();
  return 0;
}
END
"$heddle" cc -g -O1 -shared -fPIC library.c -o libstep.so || fail "library.c does not compile"
"$heddle" cc -g -O1 loaded.c -o loaded -L. -lstep -Wl,-rpath,"$PWD" -pthread || fail "loaded.c does not compile"
reproduce loaded 134 "abort: "
grep -q "^data 0.1 .* getpid$" loaded.schedule || fail "loaded.schedule has no data of the library"

# Objects are objects whatever their names are, in libraries, too.
"$heddle" cc -g -O1 -fPIC -c library.c -o library.sho && "$heddle" cc -shared library.sho -o libstep.so || fail "library.c does not compile"
"$heddle" cc -g -O1 -c loaded.c -o loaded.obj && "$heddle" cc loaded.obj -o loaded -L. -lstep -Wl,-rpath,"$PWD" -pthread || fail "loaded.c does not compile"
reproduce loaded 134 "abort: "

# Who closes all files, and opens others, gets nothing of the log into them; the log is whole.
cat >closes.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int at, odd;
int main(void) {
  for (int i = 3; i < 2000; i++) close(i);
  for (int i = 0; i < 1000; i++) open("own", O_RDWR | O_CREAT, 0600);
  for (at = 0; at < 2000000; at = at + 1)
    if (at & 1) odd++;
  abort();
}
END
compile closes
run record --paths=all ./closes
expect_code 134
expect_in err "576 KB of 1 thread"
[ -e own ] && [ ! -s own ] || fail "$ran: the program's own file has got something"
run reproduce --no-schedule closes.paths
expect_not_in err "no whole log"

# A full disk: the program goes on, and the log says that it is not whole.
ran="heddle record with a small file"
(ulimit -f 512; trap '' XFSZ; "$heddle" record --paths=all ./closes >out 2>err)
expect_in err "heddle: 1 thread is not in the log, or not to the end: there was no room"
run reproduce closes.paths
expect_complaint "closes.paths lacks 1 thread of the run: there was no room"

# Runs that do not fail.
cat >well.c <<'END'
#include <stdio.h>
int main(int n, char **words) {
  if (n > 2) return 3;
  return puts(words[n - 1]) < 0;
}
END
compile well
run record --on-failure ./well -x
expect_code 0
expect_line out "-x"
[ ! -e well.paths ] || fail "$ran: there is a log"
run record --until-failure=3 -o well.log ./well -x
expect_code 0
expect_in err "heddle: the run ended with exit code 0, which was number 3"
run reproduce well.log
expect_complaint "the run of well.log did not fail: it ended with exit code 0"
run record -o well.log ./well 1 2
expect_code 3
run reproduce well.log
expect_code 1
expect_in out "exit-code: the program ends with exit code 3"

# What is no log, or not all of one; another build.
run reproduce
expect_complaint "heddle reproduce takes the log of one run"
run reproduce absent.paths
expect_complaint "cannot open absent.paths: No such file or directory"
size=$(wc -c <lost.paths)
for bytes in 0 1 71 72 5000 65536 100000 $((size - 1)); do
  head -c "$bytes" lost.paths >cut.paths
  run reproduce cut.paths
  expect_code 2
  expect_in err "heddle: cut.paths is no whole log of control flow: "
done
run reproduce lost.c
expect_complaint "lost.c is no whole log of control flow: it begins otherwise"
sed -i 's/!= 101/!= 102/' lost.c
compile lost
run reproduce lost.paths
expect_complaint "$(realpath lost) is another build than that of the run"
rm lost
run reproduce lost.paths
expect_complaint "the program of the run, $PWD/lost, is not there any more"
run record ./lost.c
expect_code 2

# In the code of a branch there is no lock, no fence, and no call but that for a full word, which is jumped over.
cat >branches.c <<'END'
int branches(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] < 5) sum++;
    switch (a[i]) {
      case 1: sum += 7; break;
      case 4: sum -= n; break;
      case 9: sum *= 3; break;
      default: break;
    }
  }
  return sum;
}
int main(int n, char **words) { return branches((const int[]){n, 2, 3, (int)(words[0][0])}, n); }
END
"$heddle" cc -g -O2 -fno-inline branches.c -o branches || fail "branches.c does not compile"
export XDG_CACHE_HOME="$work/cache"
run record ./branches
objdump -d --no-show-raw-insn --disassemble=branches "$XDG_CACHE_HOME"/heddle/*.woven >code || fail "there is no woven program"
expect_in code "<branches>:"
grep -qE '[[:space:]]j(b|ae)[[:space:]]' code || fail "the branches are not woven: $(cat code)"
if grep -E '[[:space:]](lock|[lms]fence|xchg|cpuid)[[:space:]]' code | grep -vE 'xchg +%ax,%ax'; then fail "there is synchronisation in the code of branches"; fi
calls=$(grep -c '[[:space:]]call' code)
next=$(grep -cE '[[:space:]]call.*(__heddle_paths_next|\*)' code)
[ "$calls" = "$next" ] || fail "there are calls in the code of branches: $(grep '[[:space:]]call' code)"
# A thread that waits for some turns of a loop: the schedule fits without the log; and gdb shows it.
cat >order.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static volatile int ready, value;
static void *make(void *unused) {
  usleep(10000); /* others wait for some turns */
  ready = 1;
  usleep(20000);
  value = 7;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, make, NULL);
  while (!ready) usleep(1000);
  assert(value == 7);
  pthread_join(t, NULL);
  return 0;
}
END
"$heddle" cc -g -O1 order.c -o order -pthread || fail "cannot build order.c"
run record -o order.paths ./order
run reproduce -o s order.paths
expect_code 1
run replay s
expect_code 1
# The same by constraints: the order of steps is solved for, with both solvers, or made; and the schedule replays each time.
for engine in "" --z3 --engine=formula --engine=orders "-j 2"; do
  # shellcheck disable=SC2086
  run reproduce --strategy=constraints $engine -o s order.paths
  expect_code 1
  expect_in out "strategy constraints"
  for turn in 1 2 3 4 5; do
    run replay s
    expect_code 1
    expect_in out "assertion"
  done
done
run reproduce --strategy=constraints --engine=none order.paths
expect_code 2
expect_in err "there is no engine \"none\"; formula, orders and both are"
run reproduce --strategy=constraints --engine=orders --z3 order.paths
expect_code 2
# Failures that no branch asks for: an exit code that is computed, a pointer that is null for a moment.
cat >code.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int x, y;
static void *add(void *unused) {
  for (int i = 0; i < 3; i++) { int seen = x; usleep(100); x = seen + 1; }
  return unused;
}
static void *mul(void *unused) { for (int i = 0; i < 3; i++) { int seen = x; usleep(90); x = seen * 2; y++; } return unused; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, add, NULL);
  pthread_create(&t[1], NULL, mul, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  exit((x * y) & 12);
}
END
cat >null.c <<'END'
#include <pthread.h>
#include <unistd.h>
struct node { int value; };
static struct node a = {1}, b = {2};
static struct node *volatile p = &a;
static void *swap(void *unused) {
  usleep(1000);
  p = NULL;
  usleep(1000);
  p = &b;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, swap, NULL);
  int sum = 0;
  for (int i = 0; i < 100; i++) sum += p->value, usleep(20);
  pthread_join(t, NULL);
  return sum < 0;
}
END
for name in code null; do
  "$heddle" cc -g -O1 $name.c -o $name || fail "cannot build $name.c"
  run record --until-failure=200 -o $name.paths ./$name
  run reproduce --strategy=constraints -o s4 $name.paths
  expect_code 1
  run replay s4
  expect_code 1
done
expect_in out "null-dereference"
# Ctrl-C ends the program, in whatever run, and so the recording. A terminal sends it to both.
cat >second.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
int main(void) {
  if (access("second.run", F_OK) != 0) return close(creat("second.run", 0600));
  kill(getppid(), SIGINT);
  return raise(SIGINT);
}
END
"$heddle" cc -g -O1 second.c -o second || fail "cannot build second.c"
run record --until-failure=20 ./second
expect_in err "ended by signal 2 (Interrupt), which was number 2"
# The formula for other solvers; tests/reproduce/scripts has it judged.
run reproduce --smt=formula.smt2 order.paths
expect_code 0
grep -q "thread 0.1: write value, .*order.c:9" formula.smt2 || fail "the formula does not say which step is which"
[ "$(tail -n 1 formula.smt2)" = "(check-sat)" ] || fail "the formula has no end"
run reproduce --smt=nowhere/formula.smt2 order.paths
expect_code 2
# Waits, signals, semaphores, under each memory model.
cat >waits.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int items, taken, posted;
static volatile int sum;
static void *consume(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    while (items == 0) pthread_cond_wait(&c, &m);
    items--, taken++;
    pthread_mutex_unlock(&m);
    int before = sum;
    usleep(100);
    sum = before + 1;
    sem_post(&s);
  }
  return arg;
}
static void *produce(void *arg) {
  for (int i = 0; i < 6; i++) {
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    usleep(50);
  }
  return arg;
}
int main(void) {
  pthread_t t[3];
  sem_init(&s, 0, 1);
  pthread_create(&t[0], 0, consume, 0);
  pthread_create(&t[1], 0, consume, 0);
  pthread_create(&t[2], 0, produce, 0);
  for (int i = 0; i < 7; i++) sem_wait(&s);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(taken == 6);
  assert(sum == 6);
}
END
"$heddle" cc -g -O1 waits.c -o waits -pthread || fail "cannot build waits.c"
run record --until-failure=200 -o waits.paths ./waits
for model in sc tso pso; do
  run reproduce --memory=$model --strategy=constraints -o s3 waits.paths
  expect_code 1
  run replay s3
  expect_code 1
  expect_in out "sum == 6"
done
# A thread that takes a lock behind its last branch; threads that are created and joined one after the other, with a branch between. With -j, too.
cat >last.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, n;
static void *set(void *unused) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return unused;
}
static void *look(void *unused) {
  usleep(20000);
  pthread_mutex_lock(&m);
  if (x) abort();
  pthread_mutex_unlock(&m);
  return unused;
}
static void *count(void *unused) { n++; return unused; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&t[0], NULL, count, NULL);
    pthread_join(t[0], NULL);
    if (n != i + 1) return 0;
  }
  pthread_create(&t[0], NULL, set, NULL);
  pthread_create(&t[1], NULL, look, NULL);
  pthread_join(t[1], NULL);
  return 0;
}
END
"$heddle" cc -g -O1 last.c -o last -pthread || fail "cannot build last.c"
run record -o last.paths ./last
run reproduce -j 2 --strategy=constraints -o s4 last.paths
expect_code 1
run replay s4
expect_code 1
# Orders that are made may have accesses of several sizes, and a lock that main() held before there were others; memory of one thread alone
# waits in its buffer between what others see, for both engines.
cat >sizes.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile union { unsigned word; unsigned char bytes[4]; } shared;
static volatile int own[20];
static volatile unsigned last;
static void *write_byte(void *unused) {
  for (int i = 0; i < 20; i++) own[i] = i;
  shared.bytes[1] = shared.bytes[0] + 1;
  usleep(10000);
  pthread_mutex_lock(&lock);
  last = shared.word;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, NULL, write_byte, NULL);
  usleep(5000);
  shared.word += 3;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  assert(last != 0x103);
  return 0;
}
END
"$heddle" cc -g -O1 sizes.c -o sizes -pthread || fail "cannot build sizes.c"
run record -o sizes.paths ./sizes
for memory in sc tso; do
  run reproduce --strategy=constraints --engine=orders --memory=$memory -o s2 sizes.paths
  expect_code 1
  run replay s2
  expect_code 1
  expect_in out "last != 0x103"
done
run reproduce --strategy=constraints --engine=orders --memory=pso sizes.paths
expect_code 2
expect_in err "different sizes"
# What the formula has not: said, with what to do; and executions find it.
cat >try.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int failed;
static void *hold(void *unused) {
  pthread_mutex_lock(&lock);
  usleep(50000);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, hold, NULL);
  usleep(20000);
  if (pthread_mutex_trylock(&lock)) failed = 1;
  assert(!failed);
  return 0;
}
END
"$heddle" cc -g -O1 try.c -o try -pthread || fail "cannot build try.c"
run record -o try.paths ./try
run reproduce --strategy=constraints try.paths
expect_code 2
expect_in err "try.c:"
expect_in err "without --strategy"
run reproduce -o s2 try.paths
expect_code 1
run check --strategy=constraints try
expect_code 2
expect_in err 'no strategy "constraints"'
run replay s
printf '%s\n' continue 'frame function main' 'print value' 'print ready' >commands
run replay --gdb s -- -batch -nx -x commands
expect_in out '$1 = 0'
expect_in out '$2 = 1'

# In the machine, under memory models that this computer may not have: what only waiting stores can do, a deadlock, an exit code.
cat >stores.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready, seen[2];
#define store(x) atomic_store_explicit(&(x), 1, memory_order_relaxed)
#define load(x)  atomic_load_explicit(&(x), memory_order_relaxed)
static void *other(void *unused) {
#ifdef PASSES
  store(ready);
  seen[1] = load(data) + 1;
#else
  if (load(ready)) seen[1] = load(data) + 1;
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  store(data);
#ifdef PASSES
  seen[0] = load(ready) + 1;
#else
  store(ready);
#endif
  pthread_join(t, NULL);
#ifdef PASSES
  assert(seen[0] != 1 || seen[1] != 1);
#else
  assert(seen[1] != 1);
#endif
  return 0;
}
END
# simulated PROGRAM MODEL CODE TEXT: an execution under that model fails, and is found again under it.
simulated() {
  run record --machine --memory="$2" "./$1"
  expect_code "$3"
  for engine in formula orders; do
    run reproduce --time=60 --memory="$2" --strategy=constraints --engine=$engine --no-schedule "$1.paths"
    expect_code 1
    expect_in out "$4"
  done
  run reproduce --time=60 --memory="$2" -o "$1.schedule" "$1.paths"
  expect_code 1
  run replay "$1.schedule"
  expect_code 1
  expect_in out "$4"
}
never() {
  rm -f "$1.paths"
  run record --machine --memory="$2" --executions=500 "./$1"
  expect_complaint "no execution failed"
  [ ! -e "$1.paths" ] || fail "there is a log of nothing"
}
compile stores
never stores tso
simulated stores pso 134 "assertion \`seen"
run reproduce --memory=tso --no-schedule stores.paths
expect_code 3
"$heddle" cc -g -O1 -DPASSES stores.c -o passes -pthread || fail "cannot build stores.c"
never passes sc
simulated passes tso 134 "assertion \`seen"
simulated passes pso 134 "assertion \`seen"
cat >stuck.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int turns, letter;
static void *other(void *unused) {
  for (int i = 0; i < turns; i++) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
  }
  return unused;
}
static void *parent(void *unused) {
  pthread_t t;
  pthread_create(&t, NULL, other, unused);
  pthread_join(t, NULL);
  return unused;
}
int main(int argc, char **argv) {
  pthread_t t;
  FILE *f = fopen("turns", "r");
  if (!f || fscanf(f, "%d", &turns) != 1) return 1;
  letter = getchar();
  if (argc > 1 && getenv("CODE") && letter == *argv[1]) exit(atoi(getenv("CODE")));
  pthread_create(&t, NULL, parent, NULL);
  for (int i = 0; i < turns; i++) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
  }
  pthread_join(t, NULL);
  return 0;
}
END
compile stuck
echo 3 >turns
printf x >letter
run record --machine --file=turns ./stuck
expect_code 137
expect_in err "heddle: the run hung"
mv turns gone
run reproduce --time=60 -o stuck.schedule stuck.paths
expect_code 1
run replay stuck.schedule
expect_code 1
expect_in out "deadlock: "
mv gone turns
run record --machine --file=turns --input=letter --env=CODE=42 -o code.paths ./stuck x
expect_code 42
rm letter turns
run reproduce --time=60 --no-schedule code.paths
expect_code 1
expect_in out "exit code 42"
run record --memory=tso ./stuck
expect_complaint "--memory is for executions in the machine, and this program is run natively"
run record --machine --hang=3 ./stuck
expect_code 2
expect_in err "--machine goes with none of"
run record --machine --strategy=cleverest ./stuck
expect_code 2
expect_in err 'no strategy "cleverest"'
run record --machine --file=nowhere ./stuck
expect_code 2
expect_in err nowhere

# Numbers of paths, and all branches: loops, switches, exceptions, what does not return; the schedule says how the program was woven.
cat >routes.cc <<'END'
#include <cstdlib>
#include <stdexcept>
#include <thread>
static volatile int words[8], seen;
static int look(int i) {
  switch (words[i % 8] % 7) {
    case 0: return 1;
    case 1: case 2: return look(i + 1);
    case 5: throw std::runtime_error("five");
    default: break;
  }
  for (int k = 0; k < i; k++) {
    if (words[k % 8] > 3) continue;
    if (words[(k + 1) % 8] == 6) break;
    seen = seen + 1;
  }
  return i > 20 ? 0 : 1 + look(i + 3);
}
static void fill() {
  for (int i = 0; i < 8; i++) words[i] = (i * 5 + 1) % 8;
}
int main() {
  std::thread t(fill);
  int sum = 0;
  for (int i = 0; i < 9; i++) {
    try {
      sum += look(i);
    } catch (const std::runtime_error &) {
      sum += 100;
    }
  }
  t.join();
  if (sum + seen > 0) abort();
  return 0;
}
END
"$heddle" c++ -g -O2 routes.cc -o routes -pthread || fail "routes.cc does not compile"
for how in bits all numbers; do
  run record --paths=$how ./routes
  expect_code 134
  run reproduce --memory=tso --time=60 -o routes.schedule routes.paths
  expect_code 1
  line="recorded $how"
  [ $how = bits ] && line=recorded
  grep -qxF "$line" routes.schedule || fail "routes.schedule does not say how the program was woven"
  run replay routes.schedule
  expect_code 1
  expect_in out "abort: "
done
run reproduce --strategy=constraints routes.paths
expect_code 2
expect_in err "constraints need a log of branches"
run reproduce --smt=routes.smt routes.paths
expect_code 2
[ ! -e routes.smt ] || fail "there is a formula of numbers of paths"
run record --paths=most ./routes
expect_complaint "--paths takes bits, all or numbers"
sed 's/^recorded numbers$/recorded somehow/' routes.schedule >somehow.schedule
run replay somehow.schedule
expect_code 2
expect_in err "somehow.schedule:"

# Before the first thread nothing is told, in none of several functions on the stack, and behind it all, whichever way it came to be made:
# by a call, behind a loop's turn, before an exception.
cat >alone.cc <<'END'
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>
static volatile int mixed, seen;
static std::vector<std::thread> threads;
static void mix(int n) {
  for (int i = 0; i < n; i++) mixed = mixed & 1 ? mixed * 3 + i : mixed / 2 + 5;
}
static void other() {
  for (int i = 0; i < 3; i++)
    if (seen < 2) seen = seen + 1;
}
__attribute__((noinline)) static int make(int n) {
  if (n % 4 == 3) threads.emplace_back(other);
  if (n % 4 == 3 && mixed >= 0) throw std::runtime_error("made");
  return n;
}
int main() {
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    mix(LENGTH);
    try {
      sum += make(i) + (mixed & 1);
    } catch (const std::exception &) {
      sum += 100 * (1 + (seen > 1));
    }
  }
  for (auto &t : threads) t.join();
  if (sum > 20 && seen) abort();
}
END
for level in 0 1 2; do
  for length in 10 100000; do
    "$heddle" c++ -g -O$level -DLENGTH=$length alone.cc -o alone$length -pthread || fail "alone.cc does not compile"
    run record -o alone$length.paths ./alone$length
    expect_code 134
  done
  # 3 of 8 times before the first thread, 5 times behind it: two branches in 100,000 turns.
  bytes=$(wc -c <alone100000.paths)
  [ "$bytes" -lt 900000 ] || fail "what is done before the first thread is told: the log has $bytes bytes"
  run reproduce --memory=tso --time=60 -o alone.schedule alone10.paths
  expect_code 1
  run replay alone.schedule
  expect_code 1
  expect_in out "abort: "
done
# An exception that comes out of a future goes the library's way.
cat >future.cc <<'END'
#include <cstdlib>
#include <future>
#include <stdexcept>
static volatile int seen;
static int work(int n) {
  for (int i = 0; i < n; i++)
    if (seen < 3) seen = seen + 1;
  if (n == 6) throw std::runtime_error("six");
  return n;
}
int main() {
  int sum = work(2);
  auto one = std::async(std::launch::async, work, 4), two = std::async(std::launch::async, work, 6);
  try {
    sum += one.get() + two.get();
  } catch (const std::exception &) {
    sum += 50;
  }
  if (sum > 50 && seen) abort();
}
END
"$heddle" c++ -g -O1 future.cc -o future -pthread || fail "future.cc does not compile"
reproduce future 134 "abort: " --memory=tso
# Arguments are in registers and behind them, and elements are compared, as natively.
cat >libraries.c <<'END'
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
static volatile int seen;
static int add(int n, ...) {
  va_list list;
  int sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) sum += i & 1 ? (int)va_arg(list, double) : va_arg(list, int);
  va_end(list);
  return sum;
}
static int compare(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }
static void *other(void *unused) {
  for (int i = 0; i < 3; i++)
    if (seen < 2) seen++;
  return unused;
}
int main(void) {
  pthread_t t;
  int all[20];
  pthread_create(&t, NULL, other, NULL);
  for (int i = 0; i < 20; i++) all[i] = i * 13 % 20;
  qsort(all, 20, sizeof *all, compare);
  int sum = add(14, all[1], 2., all[3], 4., all[5], 6., all[7], 8., all[9], 10., all[11], 12., all[13], 14.);
  pthread_join(t, NULL);
  if (sum + seen > 0) abort();
  return 0;
}
END
for level in 0 2; do
  "$heddle" cc -g -O$level libraries.c -o libraries -pthread || fail "libraries.c does not compile"
  reproduce libraries 134 "abort: "
done
# Before the first thread, nobody sees where a run goes another way.
cat >alone.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  int found = 0;
  for (int i = 0; i < 200; i++)
    if (access("today.txt", R_OK) == 0) found++;
  if (found == 200) abort();
  return 0;
}
END
compile alone
run record ./alone
expect_code 134
run reproduce alone.paths
expect_code 3
expect_in out "branches before the first pthread_create() are not in the log: to be told whether one of them goes another way, record with --paths=all"
run record --paths=all ./alone
run reproduce alone.paths
expect_code 3
expect_in out "thread 0 went another way, at branch "

done_testing
