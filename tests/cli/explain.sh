# heddle predict --explain: why two places are no race.
. "$(dirname "$0")/lib.sh"

# A publication: the reader decides by what it reads, so it comes behind the write; both sides count under a lock.
cat >publish.c <<'END'
#include <pthread.h>
static volatile int data, ready, logged, both;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *producer(void *unused) {
  data = 42;
  logged = 1;
  pthread_mutex_lock(&lock);
  ready = 1;
  both = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *consumer(void *unused) {
  for (volatile int i = 0; i < 20000000; i++) continue;
  pthread_mutex_lock(&lock);
  int seen = ready;
  both = 2;
  pthread_mutex_unlock(&lock);
  logged = 2;
  if (seen) data++;
  return unused;
}
int main(void) {
  pthread_t a, b;
  both = 0;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return data - 43 + logged;
}
END
"$heddle" cc -g -O1 publish.c -o publish -pthread || fail "publish.c does not compile"
run trace ./publish
explain() { run predict --explain="publish.c:$1,publish.c:$2" publish.trace; }

explain 5 20
expect_code 0
expect_line out "publish.c:5 and publish.c:20 are no race in any order of this run"
expect_line out "    thread 0.1 writes at publish.c:8:9: ready = 1;"
expect_line out "      which thread 0.2 reads, and must: it decides by it at publish.c:20:7"
expect_not_in out "holds"
explain 9 17
expect_code 0
expect_line out "  Both are done under one lock:"
expect_line out "    thread 0.1 holds it from publish.c:7:3 to publish.c:10:3"
expect_line out "    thread 0.2 holds it from publish.c:15:3 to publish.c:18:3"
explain 25 17
expect_code 0
expect_in out "    thread 0 starts a thread at publish.c:27:3: "
expect_not_in out "holds"
explain 20 30
expect_code 0
expect_in out "    thread 0 joins a thread at publish.c:29:3: "
explain 6 19
expect_code 1
expect_line out "publish.c:6 and publish.c:19 are a race"
expect_in out "data-race, found by maximal"
explain 5 19
expect_code 0
expect_line out "publish.c:5 and publish.c:19 never touch the same memory"
explain 5 1
expect_code 3
expect_line out "  the run has no access at publish.c:1"
run predict --json --explain=publish.c:5,publish.c:20 publish.trace
expect_code 0
python3 -c 'import json
e = json.load(open("out"))
assert e["verdict"] == "no-race" and [w["kind"] for w in e["why"]] == ["value"] and e["why"][0]["events"][2]["line"] == 20' || { fail "JSON"; cat out; }

# Texts in the STD format: places are numbers, or names. Sections that cannot be exchanged: what is read in the second one must be there.
printf '%s\n' 'A|w(X)|1|1' 'A|acq(L)|2' 'A|w(Y)|3|1' 'A|rel(L)|4' 'B|acq(L)|5' 'B|r(Y)|6|1' 'B|rel(L)|7' 'B|branch(0)|8' 'B|r(X)|9|1' |
  sed 's/|\([2457]\)$/|\1|0/' >a.std
run predict --explain=1,9 a.std
expect_code 0
expect_line out "      which thread B reads, and must: it decides by it at place 8"
# Two reads of which each has its writer: a value that is passed on.
printf '%s\n' 'A|w(X)|a.c|1' 'A|w(Y)|b.c|1' 'B|r(Y)|c.c|1' 'B|w(Z)|d.c|1' 'C|r(Z)|e.c|1' 'C|branch(0)|f.c' 'C|w(X)|g.c|2' >b.std
run predict --explain=a.c,g.c b.std
expect_code 0
expect_line out "      which thread B reads, and must: what it writes at d.c, and is read from there, depends on it"
expect_line out "      which thread C reads, and must: it decides by it at f.c"
# Only atomically, only by reading, in one thread, far apart.
printf '%s\n' 'A|r(X)|1|0' 'B|r(X)|2|0' 'A|w(Y)|3|1' 'A|r(Y)|4|1' 'B|branch(0)|5' >c.std
run predict --explain=1,2 c.std
expect_code 0
expect_line out "place 1 and place 2 touch the same memory, but neither writes it"
run predict --explain=3,4 c.std
expect_code 0
expect_line out "place 3 and place 4 touch the same memory in one thread only"
{ echo 'A|w(X)|1|1'; for i in 1 2 3 4 5 6 7 8 9; do echo 'A|w(Y)|7|1'; done; echo 'B|r(X)|2|1'; echo 'B|branch(0)|5'; } >d.std
run predict --window=4 --explain=1,2 d.std
expect_code 3
expect_line out "place 1 and place 2 never touch the same memory within one window"
run predict --explain=1,2 d.std
expect_code 1

# Memory that is used again: who keeps a pointer and finds an equal one knows that the block was freed in between.
cat >reused.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *again, z;
static void *ends(void *block) {
  z = 1;
  free(block);
  return NULL;
}
static void *compares(void *kept) {
  int *now = NULL;
  while (!now) {
    usleep(20000);
    pthread_mutex_lock(&lock);
    now = again;
    pthread_mutex_unlock(&lock);
  }
  if (now == kept) z = 2;
  return NULL;
}
int main(void) {
  pthread_t a, b;
  int *block = malloc(40);
  pthread_create(&b, NULL, compares, block);
  pthread_create(&a, NULL, ends, block);
  usleep(100000);
  int *next = malloc(40);
  pthread_mutex_lock(&lock);
  again = next;
  pthread_mutex_unlock(&lock);
  pthread_join(b, NULL);
  pthread_join(a, NULL);
  return z;
}
END
"$heddle" cc -g -O1 reused.c -o reused -pthread || fail "reused.c does not compile"
# The address is the same if the first thread is fast enough, and gives its memory back at its end.
trace_reuse() {
  for try in 1 2 3 4 5 6; do
    run trace "./$1"
    [ "$code" != 2 ] || break
  done
  expect_code 2
}
trace_reuse reused
run predict --explain=reused.c:7,reused.c:19 reused.trace
expect_code 0
expect_line out "reused.c:7 and reused.c:19 are no race in any order of this run"
expect_in out "thread 0.2 frees a block at reused.c:8:3 before another one is allocated at its address by thread 0 at reused.c:28:15, and must: "
expect_in out "thread 0.1 at reused.c:17:5 has pointers to both blocks, and can tell whether these are equal"
run predict --json --explain=reused.c:7,reused.c:19 reused.trace
expect_in out '"kind":"reuse"'
run predict --analysis=maximal reused.trace
expect_code 0
run predict reused.trace
expect_code 1
expect_line out "data-race (unconfirmed), found by hb"
expect_in out "to show them together, memory is given out that is not freed yet, which a thread could notice"

run predict --explain=1 d.std
expect_complaint '--explain takes FILE:LINE,FILE:LINE, not "1"'
done_testing

# The address is kept in another form: what stands on memory that is given out too early is no proof, for neither analysis.
cat >hashed.c <<'END'
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned hash;
static char *again;
int z;
static unsigned hash_of(void *block) { return (unsigned)((uintptr_t)block >> 4) * 2654435761u; }
static void *ends(void *block) {
  pthread_mutex_lock(&lock);
  hash = hash_of(block);
  pthread_mutex_unlock(&lock);
  z = 1;
  free(block);
  return NULL;
}
static void *compares(void *unused) {
  usleep(200000);
  pthread_mutex_lock(&lock);
  unsigned kept = hash;
  void *now = again;
  pthread_mutex_unlock(&lock);
  if (hash_of(now) == kept) z = 2;
  return unused;
}
int main(void) {
  pthread_t a, b;
  int *block = malloc(40);
  pthread_create(&b, NULL, compares, NULL);
  pthread_create(&a, NULL, ends, block);
  usleep(100000);
  char *next = malloc(40);
  pthread_mutex_lock(&lock);
  again = next;
  pthread_mutex_unlock(&lock);
  pthread_join(b, NULL);
  pthread_join(a, NULL);
  return z;
}
END
"$heddle" cc -g -O1 hashed.c -o hashed -pthread || fail "hashed.c does not compile"
trace_reuse hashed
run predict hashed.trace
expect_code 1
expect_line out "data-race (unconfirmed), found by maximal"
expect_in out "a block is given out before the one that was at its address is freed"
run predict --json hashed.trace
expect_in out '"status":"claimed"'
run predict --analysis=hb hashed.trace
expect_line out "data-race (unconfirmed), found by hb"
run predict --explain=hashed.c:14,hashed.c:24 hashed.trace
expect_code 1
expect_line out "hashed.c:14 and hashed.c:24 may be a race"
expect_line out "data-race (unconfirmed), found by maximal"
run predict --json --explain=hashed.c:14,hashed.c:24 hashed.trace
expect_in out '"verdict":"claimed"'
