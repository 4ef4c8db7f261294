# What the cases of this folder share. A case is run as: sh CASE HEDDLE SOURCE-ROOT; it works in a folder of its own.
set -u
heddle=$(realpath "$1")
root=$(realpath "$2")
case=$(basename "$0" .sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
unset COLUMNS NO_COLOR
failures=0

fail() {
  echo "$case: $*"
  failures=$((failures + 1))
}

# Runs heddle; leaves code, out and err.
run() {
  ran="heddle $*"
  "$heddle" "$@" >out 2>err
  code=$?
}

expect_code() { [ "$code" = "$1" ] || { fail "$ran: exit code $code instead of $1"; cat out err; }; }
# The file (out, err or another) has a line that contains the text / is the text / has no such line.
expect_in() { grep -qF -- "$2" "$1" || { fail "$ran: \"$2\" is not in $1:"; cat "$1"; }; }
expect_line() { grep -qxF -- "$2" "$1" || { fail "$ran: no line \"$2\" in $1:"; cat "$1"; }; }
expect_not_in() { ! grep -qF -- "$2" "$1" || { fail "$ran: \"$2\" is in $1:"; cat "$1"; }; }
expect_empty() { [ ! -s "$1" ] || { fail "$ran: $1 is not empty:"; cat "$1"; }; }
# One complaint: a line "heddle: MESSAGE", perhaps a hint, nothing else.
expect_complaint() {
  expect_code 2
  expect_line err "heddle: $1"
  [ "$(grep -cv '^heddle: hint: ' err)" = 1 ] || { fail "$ran: more than one complaint:"; cat err; }
}
expect_same() { cmp -s "$1" "$2" || { fail "$ran: $1 and $2 differ:"; diff "$1" "$2"; }; }

done_testing() { [ "$failures" = 0 ]; exit; }

# Properties of SV-COMP. $1: the file without its ending, $2: the formula.
property() { printf 'CHECK( init(main()), LTL(%s) )\n' "$2" >>"$1.prp"; }
competition_properties() {
  property unreach 'G ! call(reach_error())'
  property race 'G ! data-race'
  property overflow 'G ! overflow'
  for p in free deref memtrack; do property memory "G valid-$p"; done
}

# Programs.
racy() {
  cat >"$1" <<'END'
#include <pthread.h>
static int counter;
static void *count(void *unused) {
  counter++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  counter++;
  pthread_join(t, 0);
  return 0;
}
END
}

# A deadlock, and a proof that there is none with -DFIXED.
crossed() {
  cat >"$1" <<'END'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
#else
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
#endif
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t t;
  puts("begin");
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
END
}

# Too many executions to end in a lifetime.
endless() {
  cat >"$1" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *unused) {
  for (int i = 0; i < 50; i++) x += i;
  return unused;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
END
}
