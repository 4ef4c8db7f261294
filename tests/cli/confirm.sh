# heddle run --confirm: what the repeated runs read and write, how long they may take, how it ends, and what is said of it.
. "$(dirname "$0")/lib.sh"

cat >uses.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *x;
static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  *x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void *ends(void *argument) {
  usleep(30000);
  pthread_mutex_lock(&m);
  free(x);
  pthread_mutex_unlock(&m);
  return argument;
}
int main(int argc, char **argv) {
  pthread_t t, u;
  const char *how = argc > 1 ? argv[1] : "";
  char line[64] = "";
  FILE *runs = fopen("runs", "a");
  fprintf(runs, "run %s\n", how);
  fclose(runs);
  if (strcmp(how, "read") == 0 && fgets(line, sizeof line, stdin)) printf("read %s", line);
  if (strcmp(how, "needs") == 0 && (!fgets(line, sizeof line, stdin) || strcmp(line, "hello\n") != 0)) return 9;
  if (strcmp(how, "getchar") == 0) printf("read %c\n", getchar());
  if (strcmp(how, "scanf") == 0 && scanf("%63s", line) == 1) printf("read %s\n", line);
  if (strcmp(how, "wide") == 0) printf("read %c\n", (int)getwchar());
  if (strcmp(how, "unlocked") == 0) printf("read %c\n", getchar_unlocked());
  if (strcmp(how, "closed") == 0) printf("read %c\n", getchar_unlocked()), fclose(stdin);
  if (strcmp(how, "stay") == 0 && access("stayed", F_OK) == 0) fclose(fopen("there", "w")), pause();
  fputs("a complaint\n", stderr);
  x = malloc(sizeof *x);
  pthread_create(&t, 0, uses, 0);
  if (strcmp(how, "join") == 0) pthread_join(t, 0), usleep(1000);
  pthread_create(&u, 0, ends, 0);
  if (strcmp(how, "join") != 0) pthread_join(t, 0);
  pthread_join(u, 0);
  fflush(stdout);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "wait") == 0) fclose(fopen("there", "w")), pause();
  if (strcmp(how, "stay") == 0) fclose(fopen("stayed", "w"));
  return 7;
}
END
"$heddle" cc -g -O1 -fheddle=run uses.c -o uses || fail "heddle cc -fheddle=run"
runs() { sort runs | uniq -c | awk '{ print $1 }'; }
confirm() { rm -f runs; run run --confirm --confirm-hold-ms=300 "$@"; }

# The output is the first run's, the reports follow.
confirm ./uses </dev/null
expect_code 7
expect_in err "WARNING: Heddle: use after free (race with a free or destruction) (predicted, confirmed) (pid="
expect_in err "  Confirmed by a repeated run: the free or destruction came first, and another thread came to its write of the same memory after it."
expect_in err "SUMMARY: Heddle: use after free (race with a free or destruction) (predicted, confirmed) "
expect_line err "Heddle: 1 of 1 prediction confirmed, by 1 repeated run"
[ "$(grep -c complaint err)" = 1 ] || fail "output of a repeated run is not left out"
[ "$(runs)" = 2 ] || fail "--confirm ran the program $(runs) times"

# Standard input: a file is read again, from where it was; a pipe cannot be, but who does not read it need not.
printf 'first\nhello\nmore\n' >input
rm -f runs
{ read -r line; "$heddle" run --confirm --confirm-hold-ms=300 ./uses needs >out 2>err; code=$?; cat >rest; } <input
ran='heddle run --confirm with a file as standard input'
expect_code 7
expect_line err "Heddle: 1 of 1 prediction confirmed, by 1 repeated run"
expect_line rest more
echo hello | { rm -f runs; "$heddle" run --confirm ./uses read >out 2>err; }
code=$? ran='heddle run --confirm with a pipe as standard input'
expect_code 7
expect_line out "read hello"
expect_in err "(predicted) (pid="
expect_line err "  Not tried: the program has read standard input, which is a pipe, so it cannot be run with the same input again."
expect_line err "Heddle: 0 of 1 prediction confirmed, by 0 repeated runs"
[ "$(runs)" = 1 ] || fail "a program whose input is gone was run again"
for how in getchar scanf wide unlocked closed; do
  echo hello | "$heddle" run --confirm ./uses $how >out 2>err
  code=$? ran="heddle run --confirm with a pipe as standard input, $how"
  expect_code 7
  expect_in out "read h"
  expect_line err "  Not tried: the program has read standard input, which is a pipe, so it cannot be run with the same input again."
done
echo hello | "$heddle" run --confirm --confirm-hold-ms=300 ./uses >out 2>err
code=$? ran='heddle run --confirm with a pipe that nobody reads'
expect_line err "Heddle: 1 of 1 prediction confirmed, by 1 repeated run"

# It ends as the program did.
confirm ./uses abort </dev/null
expect_code 134
expect_line err "Heddle: 1 of 1 prediction confirmed, by 1 repeated run"
confirm --exit-code=3 ./uses </dev/null
expect_code 3
confirm --halt-on-error ./uses </dev/null
expect_code 66
expect_line err "Heddle: 1 of 1 prediction confirmed, by 1 repeated run"
until_there() { for i in $(seq 100); do [ ! -e there ] || break; sleep 0.1; done; }
rm -f runs there
"$heddle" run --confirm ./uses wait </dev/null >out 2>err &
until_there
kill -TERM $!
wait $! 2>killed
code=$? ran='heddle run --confirm, interrupted'
expect_code 143
expect_line err "  Not tried: heddle run was interrupted."
[ "$(runs)" = 1 ] || fail "a program that was interrupted was run again"

# What was held back is shown though heddle is killed: in the first run, and in a repeated one.
for how in wait stay; do
  rm -f runs there stayed
  "$heddle" run --confirm --log=killed.log ./uses $how </dev/null >out 2>err &
  until_there
  kill -KILL $!
  wait $! 2>killed
  for i in 1 2 3 4 5 6 7 8 9 10; do grep -q '^Heddle: 0 of 1' killed.log 2>/dev/null && break; sleep 0.1; done
  ran="heddle run --confirm, killed, $how"
  expect_in killed.log "(predicted) (pid="
  [ $how = stay ] || expect_line killed.log "  Not tried: heddle run was killed."
  expect_in killed.log "Heddle: 0 of 1 prediction confirmed, by "
  rm -f killed.log
done

# Bounds.
confirm --confirm=0 ./uses </dev/null
expect_code 7
expect_in err "(predicted) (pid="
expect_not_in err "repeated run"
run run --confirm=x ./uses
expect_complaint '--confirm takes a number, not "x"'
run run --confirm-hold-ms=0 ./uses
expect_complaint "--confirm-hold-ms takes a number from 1 to 60000"
cat >hangs.c <<'END'
#include <unistd.h>
#include <stdlib.h>
#include <stdio.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *x;
static volatile int passed;
__attribute__((no_sanitize("thread"), noinline)) static void pass(void) { passed = 1; }
__attribute__((no_sanitize("thread"), noinline)) static void await(void) { while (!passed) usleep(1000); }
static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  *x = 1;
  pthread_mutex_unlock(&m);
  pass();
  return argument;
}
int main(void) {
  pthread_t t;
  int again = access("again", F_OK) == 0;
  fclose(fopen("again", "w"));
  if (again) pause();
  x = malloc(sizeof *x);
  pthread_create(&t, 0, uses, 0);
  await();
  pthread_mutex_lock(&m);
  free(x);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
END
"$heddle" cc -g -O1 -fheddle=run hangs.c -o hangs || fail "heddle cc -fheddle=run"
run run --confirm --confirm-time=0.5 ./hangs </dev/null
expect_code 0
expect_line err "  Not confirmed by 1 repeated run, in which no thread came to where it was to be held back and of which 1 took too long and was ended: that does not say that it cannot happen."

# A process that cannot have the file goes on.
HEDDLE_OPTIONS=confirm=/dev/null run run ./uses </dev/null
expect_code 7
expect_line err "heddle: HEDDLE_OPTIONS: confirm: cannot use /dev/null: predictions of this process are not tried"
expect_in err "(predicted) (pid="

# JSON, and the file of reports.
confirm --json --log=log ./uses </dev/null
expect_line err "a complaint"
expect_in log '"confirmed": true, "tried": 1, "confirmation": "Confirmed by a repeated run: the free or destruction came first, and another'
expect_line log '{"kind": "confirmation", "predictions": 1, "confirmed": 1, "runs": 1, "not_tried": 0}'
if command -v python3 >/dev/null; then python3 -c 'import json; [json.loads(l) for l in open("log")]' || fail "--confirm --json is not JSON"; fi

# What is found for certain is shown at once, and nothing is run again for it.
confirm --analysis=hb ./uses join </dev/null
expect_code 7
expect_empty out
[ "$(runs)" = 1 ] || fail "a program without predictions was run again"

done_testing
