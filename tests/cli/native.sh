# Schedules carried out natively (heddle replay --native): of sources and of programs, optimised or not, until the program ends, hangs or
# races as the finding says; what cannot be carried out is said.
. "$(dirname "$0")/lib.sh"

# shows FILE KIND TEXT [OPTION..]: the check's schedule of that kind is confirmed natively, with that text
shows() {
  file=$1 kind=$2 text=$3
  shift 3
  rm -f ./*.schedule
  "$heddle" check "$@" "$file" >checked 2>&1
  run replay --native --limit=3 "heddle-$kind-1.schedule"
  expect_code 1
  expect_in out "$kind, confirmed natively: $text"
}

cat >lost.c <<'END'
#include <assert.h>
#include <pthread.h>
static int balance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *pay(void *unused) {
  pthread_mutex_lock(&lock);
  int before = balance;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  balance = before + 5;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, pay, NULL), pthread_create(&b, NULL, pay, NULL);
  pthread_join(a, NULL), pthread_join(b, NULL);
#ifdef DIVIDES
  return 1 / (balance - 5);
#elif defined EXITS
  return balance == 10 ? 0 : 7;
#else
  assert(balance == 10);
#endif
}
END
shows lost.c assertion "the program was ended by signal 6 (Aborted) behind the last step"
expect_in err "Assertion \`balance == 10' failed"
expect_in out "  done:   thread 0.1 write at lost.c:10:11"
run replay --native --json heddle-assertion-1.schedule
expect_code 1
expect_in out '{"kind":"assertion","by":"native","confirmed":true,"confirmation":"the program was ended by signal 6 (Aborted) behind the last step"'
shows lost.c division-by-zero "the program was ended by signal 8 (Floating point exception)" -DDIVIDES
shows lost.c exit-code "the program ended with exit code 7 behind the last step" -DEXITS --exit-codes
# The same of programs, which compilers have changed.
for level in -O0 -O1 -O2 -O3; do
  "$heddle" cc -g $level lost.c -o lost -pthread || fail "lost.c does not compile"
  shows ./lost assertion "the program was ended by signal 6 (Aborted) behind the last step"
done
# Another program with the same places: all steps are done, but nothing is wrong.
sed 's/balance = before + 5/balance += 4 + 1; /; s/int before = balance/int before = balance/' lost.c >well.c
run replay --native --limit=1 heddle-assertion-1.schedule well.c
[ "$code" = 2 ] || [ "$code" = 3 ] || fail "a program without the finding: exit code $code"

cat >race.c <<'END'
#include <pthread.h>
int x, y;
static void *other(void *unused) {
  y = 1;
  x = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  int v = x;
  pthread_join(t, NULL);
  return v > 5;
}
END
shows race.c data-race "both threads stood before their accesses of the same memory at the same time"
expect_in out "  before: thread 0 read at race.c:11:11"
expect_in out "  before: thread 0.1 write at race.c:5:5"

cat >locks.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full;
static void *other(void *unused) {
#ifdef LOST
  pthread_mutex_lock(&a);
  full = 1;
  pthread_mutex_unlock(&a);
  if (!unused) pthread_cond_signal(&c);
#else
  pthread_mutex_lock(&b), pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a), pthread_mutex_unlock(&b);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
#ifdef LOST
  pthread_mutex_lock(&a);
  int empty = !full;
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&a);
  if (empty) pthread_cond_wait(&c, &a);
  pthread_mutex_unlock(&a);
#else
  pthread_mutex_lock(&a), pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b), pthread_mutex_unlock(&a);
#endif
  pthread_join(t, NULL);
}
END
shows locks.c deadlock "each thread waits, and nobody was left to wake one"
"$heddle" check -DLOST locks.c >checked
lost=$(sed -n 's/^  \(lost-wakeup\|deadlock\): .*(\(.*\)).*/\2/p' checked | head -1)
run replay --native "$lost"
expect_code 1
expect_in out "confirmed natively: each thread waits, and nobody was left to wake one"

cat >spins.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;
static void *other(void *unused) {
  if (atomic_load(&a)) atomic_store(&b, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  atomic_store(&a, 1);
  while (!atomic_load(&b));
}
END
shows spins.c livelock "no thread came to an end any more behind the last step"

cat >queue.cc <<'END'
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
struct queue {
  std::mutex lock;
  std::condition_variable filled;
  std::deque<int> items;
  void put(int item) {
    std::lock_guard<std::mutex> guard(lock);
    items.push_back(item);
    filled.notify_all();
  }
  int take() {
    std::unique_lock<std::mutex> guard(lock);
    if (items.empty()) filled.wait(guard);
    if (items.empty()) throw std::runtime_error("empty");
    int item = items.front();
    items.pop_front();
    return item;
  }
};
int main() {
  queue q;
  std::thread one([&] { q.take(); }), two([&] { q.take(); });
  q.put(1);
  q.put(2);
  one.join(), two.join();
}
END
rm -f ./*.schedule
"$heddle" check queue.cc >checked 2>&1
run replay --native heddle-uncaught-exception-1.schedule
expect_code 1
expect_in out "uncaught-exception, confirmed natively: the program was ended by signal 6 (Aborted) behind the last step"

# A run that was recorded, with what it was given.
cat >given.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile int turn, wrong;
static void *other(void *unused) {
  if (turn == 1) wrong = 1;
  return unused;
}
int main(int argc, char **argv) {
  char line[16] = "";
  pthread_t t;
  const char *set = getenv("GIVEN");
  if (!fgets(line, sizeof line, stdin) || strcmp(line, "in\n") != 0 || argc != 2 || strcmp(argv[1], "word") != 0 || !set || *set != 'x') return 0;
  pthread_create(&t, NULL, other, NULL);
  turn = 1;
  usleep(20000);
  turn = 2;
  pthread_join(t, NULL);
  if (wrong) abort();
  return 0;
}
END
"$heddle" cc -g -O1 given.c -o given -pthread
echo in >input
GIVEN=x "$heddle" record --until-failure=50 -o given.paths ./given word <input >out 2>&1
run reproduce --memory=tso -o given.schedule given.paths
expect_code 1
rm input
run replay --native given.schedule
expect_code 1
expect_in out "abort, confirmed natively: the program was ended by signal 6 (Aborted) behind the last step"

# What cannot be carried out.
cat >buffer.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *other(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(t, NULL);
  assert(a || b);
}
END
"$heddle" check --memory=tso buffer.c >checked
run replay --native heddle-assertion-1.schedule
expect_code 2
expect_in err "waits in its buffer while the thread goes on: no native run can be told when that ends"
cat >object.c <<'END'
#include <heddle.h>
static volatile int n;
HD_BEGIN(void) { n = 0; }
HD_OPERATION(next) { return ++n; }
END
"$heddle" check --linearizable --ignore=data-race object.c >checked
run replay --native heddle-not-linearizable-1.schedule
expect_complaint "the schedule is of an object's operations, which have no main() that could run natively"
cat >choose.c <<'END'
#include <heddle.h>
#include <pthread.h>
static void *other(void *unused) { return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int n = (int)hd_choose(3);
  pthread_join(t, 0);
  hd_assert(n != 2);
}
END
"$heddle" check choose.c >checked
run replay --native heddle-assertion-1.schedule
expect_complaint "the program asks hd_choose() or hd_symbolic() what to do, which a native run does not know"
cat >freed.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *other(void *unused) {
  free(p);
  return unused;
}
int main(void) {
  pthread_t t;
  p = malloc(4);
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  *p = 1;
}
END
"$heddle" check freed.c >checked
run replay --native --limit=1 heddle-use-after-free-1.schedule
expect_code 3
expect_in out "use-after-free, not confirmed: "
run replay --native --step heddle-assertion-1.schedule
expect_complaint "--native is for findings, and goes with neither --step nor --gdb-server"
clang-19 -g -emit-llvm -c lost.c -o lost.bc && "$heddle" check lost.bc >checked
run replay --native heddle-assertion-1.schedule
expect_code 2
expect_in err "the schedule is of lost.bc, which cannot be run: no program, and not sources alone"

# In gdb, which sees the threads stand.
if command -v gdb >/dev/null; then
  "$heddle" check race.c >checked
  run replay --native --gdb heddle-data-race-1.schedule -- -batch -ex run -ex 'thread apply all bt'
  expect_in err "heddle: both threads stood before their accesses of the same memory at the same time; the program ends here"
  expect_in out "in other (unused=0x0) at race.c:5"
  expect_in out "in main () at race.c:11"
fi
done_testing
