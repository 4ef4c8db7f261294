# Several workers and several sittings: nothing is lost, and nobody can tell from the report.
. "$(dirname "$0")/lib.sh"

cat >count.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x;
int y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *count(void *a) {
  long k = (long)a;
  for (int i = 0; i < 2; i++) {
    int v = atomic_load(&x);
    atomic_store(&x, v + 1);
  }
#ifdef BUGS
  if (k == 1) y = 1;
  if (k == 2 && atomic_load(&x) == 2) y = 2;
  pthread_mutex_lock(k & 1 ? &m : &n);
  pthread_mutex_lock(k & 1 ? &n : &m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
#else
  int last = 0;
  for (int i = 0; i < 2 * (k != 0); i++) last += atomic_load(&x);
  return (void *)(k + last);
#endif
  return a;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, count, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
#ifdef BUGS
  assert(atomic_load(&x) > 2);
#endif
  return 0;
}
END

# The same findings by the same schedules, whatever the number of workers.
for jobs in 1 2 4; do
  run check --strategy=dpor -j $jobs --executions=0 --no-schedule -DBUGS count.c
  expect_code 1
  sed 's/, [0-9]* more given up (redundant)//; s/, [0-9.]* s, memory/, memory/' out >report-$jobs
done
expect_in report-1 "data-race"
expect_in report-1 "deadlock"
expect_in report-1 "assertion"
expect_same report-1 report-2
expect_same report-1 report-4

# The same number of executions: one a trace.
counts() { grep -E '^(verdict|executions|findings|longest)' out >"$1"; }
run check --strategy=dpor --stats --no-schedule count.c
expect_line out "verdict SAFE"
counts alone
run check --strategy=dpor --stats --no-schedule --outcomes -j 3 count.c
counts three
expect_same alone three

for strategy in random pct; do
  run check --strategy=$strategy --executions=20000 --no-schedule -DBUGS count.c
  sed 's/, [0-9.]* s, memory/, memory/' out >random-1
  run check --strategy=$strategy --executions=20000 --no-schedule -j 3 -DBUGS count.c
  sed 's/, [0-9.]* s, memory/, memory/' out >random-3
  expect_in random-1 "20000 executions"
  expect_same random-1 random-3
done

# Workers that have the closed states in common: how many there are can be told from the counts alone.
cat >sort.c <<'END'
#include <pthread.h>
#include <assert.h>
#ifndef N
#define N 4
#endif
int a[N], passes;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *pass(void *unused) {
  for (int i = 0; i + 1 < N; i++) {
#ifdef SAFE
    pthread_mutex_lock(&m);
#endif
    if (a[i] > a[i + 1]) {
      int v = a[i];
      a[i] = a[i + 1];
      a[i + 1] = v;
    }
#ifdef SAFE
    pthread_mutex_unlock(&m);
#endif
  }
  pthread_mutex_lock(&m);
  passes++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < N; i++) a[i] = N - i;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, pass, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
#ifdef SAFE
  assert(passes == 3);
#else
  for (int i = 0; i + 1 < N; i++) assert(a[i] <= a[i + 1]);
#endif
  return 0;
}
END
same_whoever() { # name, arguments: the report is the same, whatever the number of workers
  name=$1
  shift
  for jobs in 1 2 3; do
    run check --strategy=maximal -j $jobs --no-schedule "$@"
    sed 's/^  [0-9]* executions*, .*, memory/  memory/; s/^\(no findings\) after .*/\1/' out >"$name-$jobs"
  done
  expect_same "$name-1" "$name-2"
  expect_same "$name-1" "$name-3"
}
same_whoever sort -DN=3 sort.c
expect_in sort-1 "data-race: write and write of a[1] are not ordered"
same_whoever common -DBUGS count.c
expect_in common-1 "deadlock"
shared() { grep -E '^(verdict|findings|longest|outcome)' out >"$1"; }
run check --strategy=maximal --stats --no-schedule --outcomes -DSAFE -DN=7 sort.c
expect_line out "verdict SAFE"
shared safe-1
run check --strategy=maximal --stats --no-schedule --outcomes -j 3 -DSAFE -DN=7 sort.c
shared safe-3
expect_same safe-1 safe-3
run check --strategy=maximal --stats --no-schedule --executions=5000 -j 2 -DSAFE -DN=7 sort.c
expect_line out "verdict BOUNDED"
run check --strategy=maximal --stats --no-schedule --state-memory=1 -j 2 -DSAFE -DN=6 sort.c
expect_line out "verdict SAFE"
# Jobs that are prefixes, put together in the order in which they were found: not even the counts tell, up to where several of them are cut
# short, or killed.
told() { grep -vE '^(seconds|memory|solving|deciding|predicting|steps)' out >"$1"; }
for strategy in mcr se-mcr mcr-s+; do
  for jobs in 1 2 3; do
    run check --strategy=$strategy --stats --no-schedule --no-predict -j $jobs -DBUGS count.c
    grep -E '^(verdict|findings)' out >found-$jobs
  done
  expect_same found-1 found-2
  expect_same found-1 found-3
done
cat >fails.c <<'END'
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x, y;
static void *first(void *unused) {
  atomic_store(&x, 1);
  assert(atomic_load(&y) == 1);
  return unused;
}
static void *second(void *unused) {
  atomic_store(&y, 1);
  atomic_load(&x);
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  first(0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
END
for jobs in 1 2 3; do # executions that a failure cut short are made again, also after a new start
  run check --strategy=mcr --stats --no-schedule --no-predict -j $jobs fails.c
  expect_line out "executions 6"
  told fails-$jobs
done
expect_same fails-2 fails-3
for jobs in 2 3; do
  run check --strategy=mcr --stats --no-schedule --executions=12000 -j $jobs -DN=4 sort.c
  expect_line out "verdict BUG"
  told cut-$jobs
done
expect_same cut-2 cut-3
"$heddle" check --strategy=mcr --stats --no-schedule --executions=12000 -j 2 -DN=4 sort.c >out 2>err &
pid=$!
for i in 1 2 3 4 5 6; do
  sleep 0.1
  for child in $(cat /proc/$pid/task/$pid/children 2>/dev/null); do kill -KILL "$child" 2>/dev/null && break; done
done
wait $pid
told killed
expect_same cut-2 killed

"$heddle" check --strategy=maximal --stats -j 2 --no-schedule --outcomes -DSAFE -DN=7 sort.c >out 2>err &
pid=$!
for i in 1 2 3 4 5 6; do
  sleep 0.1
  pkill -KILL -P $pid 2>/dev/null
done
wait $pid
shared safe-killed
expect_same safe-1 safe-killed

# Workers that are killed.
"$heddle" check --strategy=dpor --stats -j 2 count.c >out 2>err &
pid=$!
for i in 1 2 3; do
  sleep 0.15
  pkill -KILL -P $pid 2>/dev/null
done
wait $pid
counts killed
expect_same alone killed

# A campaign that is interrupted, killed, gone on with and asked again.
ran="campaign"
# begun FOLDER OPTION..: a campaign in the background, once there is its file, or it is over
begun() {
  folder=$1
  shift
  "$heddle" check --stats --campaign="$folder" "$@" count.c >out.begun 2>err.begun &
  pid=$!
  until [ -s "$folder/campaign.sqlite" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
}
begun kept
sleep 0.3
kill -TERM $pid
wait $pid
begun kept -j 2
sleep 1.5
kill -KILL $pid
wait $pid
[ -s kept/campaign.sqlite ] || fail "no campaign was kept"
run check --stats --campaign=kept --executions=100 count.c
run check --stats --campaign=kept -j 2 count.c
counts resumed
expect_same alone resumed
run check --stats --campaign=kept count.c
counts again
expect_same alone again
begun bugs -DBUGS
sleep 0.1
kill -KILL $pid
wait $pid
run check --campaign=bugs --no-schedule -DBUGS count.c
expect_code 1
sed 's/, [0-9]* more given up (redundant)//; s/, [0-9.]* s, memory/, memory/' out >report-campaign
expect_same report-1 report-campaign

# A campaign that cannot be gone on with.
run check --campaign=kept -DOTHER=1 -DBUGS count.c
expect_complaint "kept/campaign.sqlite: the campaign there is of another program, of other options, or by another Heddle"
mkdir damaged
head -c 5000 /dev/zero | tr '\0' x >damaged/campaign.sqlite
run check --campaign=damaged count.c
expect_complaint "damaged/campaign.sqlite: this is no campaign of this Heddle, or it is damaged"
run check --campaign=nowhere/at/all count.c
expect_complaint "nowhere/at/all: No such file or directory"
begun busy -j 2
run check --campaign=busy count.c
expect_complaint "busy/campaign.sqlite: another process works on this campaign"
kill $pid
wait $pid

run check -j 0 count.c
expect_complaint "--jobs takes a number from 1 to 256"
run check -j 2 --strategy=naive count.c
expect_complaint "--jobs: the strategy naive cannot be explored in parts"
run check -j 2 --bound=1 count.c
expect_complaint "--jobs and --bound exclude each other"

done_testing
