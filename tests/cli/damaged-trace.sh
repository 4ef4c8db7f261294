# heddle predict on damaged traces: each byte changed in turn, and the file cut at each length. It ends by itself, it finds nothing that the
# whole trace does not show, and it says that something is missing.
. "$(dirname "$0")/lib.sh"

cat >both.c <<'XEND'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *other(void *unused) {
  counter++;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  usleep(100000); /* so that this run has no deadlock */
  counter++;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
XEND
"$heddle" cc -g -O1 both.c -o both -pthread || fail "both.c does not compile"
run trace -o whole ./both
expect_code 0

run predict whole
expect_code 1
expect_not_in out "are missing"
expect_in out "2 findings, 0 undecided"

# Runs heddle predict on each damaged trace: prints "case NAME CODE", and what heddle printed.
cat >each.c <<'XEND'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static const char *heddle;
static void predict(const char *what, size_t at, const char *bytes, size_t n) {
  int status = 0, fd = open("damaged", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (write(fd, bytes, n) != (ssize_t)n) exit(1);
  close(fd);
  pid_t child = vfork();
  if (child == 0) execl(heddle, heddle, "predict", "damaged", (char *)0), _exit(127);
  if (waitpid(child, &status, 0) != child) exit(1);
  lseek(1, 0, SEEK_END);
  dprintf(1, "case %s.%zu %d\n", what, at, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
int main(int argc, char **argv) {
  static char bytes[1 << 16];
  int fd = open(argv[argc - 1], O_RDONLY);
  ssize_t n = read(fd, bytes, sizeof bytes);
  if (n <= 0 || n == sizeof bytes) return 1;
  heddle = argv[1];
  dup2(1, 2);
  predict("whole", 0, bytes, (size_t)n);
  for (ssize_t i = 0; i < n; i++) {
    bytes[i] ^= 0x55;
    predict("changed", (size_t)i, bytes, (size_t)n);
    bytes[i] ^= 0x55;
    predict("cut", (size_t)i, bytes, (size_t)i);
  }
}
XEND
"$heddle" cc each.c -o each || fail "each.c does not compile"
./each "$heddle" whole >>all || fail "each: exit code $?"

# A finding: its kind, and what each thread does; its places may be lost with the block that names them. Then a read and a write are not told
# from each other. The line of the case comes behind what heddle printed.
awk '
  function wrong(what) { print name ": " what; bad++ }
  function end_of_finding() { if (kind != "") found[++n] = kind; kind = "" }
  /^[a-z-]+, found by maximal/ { end_of_finding(); kind = $1; next }
  /^  how[,:]/ || /^$/ { end_of_finding(); next }
  /^    holding / { next } # where a lock was taken is lost with the names, too
  kind != "" { sub(/ at .*/, ""); sub(/reads|writes/, "accesses"); kind = kind ":" $0 }
  /are missing/ { said = 1 }
  /^heddle: damaged/ { said = complained = 1 }
  /^case / {
    name = $2
    if ($3 > 3) wrong("exit code " $3)
    if (name == "whole.0") {
      all = n
      for (i = 1; i <= n; i++) known[found[i]] = 1
    } else {
      if ($3 == 2 && !complained) wrong("no complaint that names the file")
      if ($3 != 2 && complained) wrong("exit code " $3 " behind a complaint")
      if (!said && n != all) wrong("nothing is said of what is missing") # bytes between blocks may change
      if ($3 == 0) wrong("no finding and no word of what is missing")
    }
    for (i = 1; i <= n; i++) if (!(found[i] in known)) wrong("a finding that the whole trace has not: " found[i])
    n = said = complained = 0
    cases++
  }
  END { if (cases < 600) wrong("only " cases " cases"); exit bad > 0 }' all >complaints || { fail "damaged traces:"; head -20 complaints; }

# Killed in the middle of recording, from outside: the trace reads back.
cat >busy.c <<'XEND'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (++x == 100000) puts("going"), fflush(stdout);
    pthread_mutex_unlock(&m);
  }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  printf("%d\n", (int)getpid());
  fflush(stdout);
  work(0);
}
XEND
"$heddle" cc -g -O1 busy.c -o busy -pthread || fail "busy.c does not compile"
mkfifo said
"$heddle" trace -o busy.trace ./busy >said 2>/dev/null &
{ read -r pid && read -r going && kill -9 "$pid"; } <said || fail "busy: it does not go on"
wait $!
[ $? = 137 ] || fail "busy: not killed"
run show busy.trace
expect_code 0
expect_in out "the program has not ended in order"
[ "$(sed -n 's/^\([0-9]*\) events of 2 threads.*/\1/p' out)" -gt 100000 ] || { fail "busy: events are lost:"; head -5 out; }
run predict --analysis=hb busy.trace
[ "$code" = 0 ] || [ "$code" = 3 ] || { fail "$ran: exit code $code"; cat out err; }
expect_not_in out "are missing"
done_testing
