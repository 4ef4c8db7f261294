# Violation witnesses for other verification tools. violation.py looks whether they say what they have to, and whether the program does it.
. "$(dirname "$0")/lib.sh"

competition_properties

# $1: the property's name, $2: the result, then options and the program. The witness is checked, and stays in w.yml.
violates() {
  property=$1 result=$2
  shift 2
  rm -f w.yml
  run check --no-schedule --property="$property.prp" --witness=w.yml "$@"
  expect_code 1
  expect_line out "  $property.prp: false($result)"
  flags=
  for word; do [ "$word" = "${word#-D}" ] || flags="$flags$word
"; done
  printf %s "$flags" >flags
  HEDDLE=$heddle python3 "$root/tests/cli/violation.py" w.yml || { fail "$ran: the witness is wrong"; cat w.yml; }
}
# Does some waypoint have these lines, one behind the other?
expect_waypoint() { tr -s ' \n' ' ' <w.yml | grep -qF -- "$*" || { fail "$ran: no waypoint $*"; cat w.yml; }; }

# Numbers of all kinds; brackets where a look at the line does not find them.
cat >numbers.c <<'END'
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *__VERIFIER_nondet_pointer(void);
extern __int128 __VERIFIER_nondet_int128(void);
int main(void) {
  char c = __VERIFIER_nondet_char(); unsigned char u = __VERIFIER_nondet_uchar();
  if (c != -100 || u != 200) return 0;
  unsigned long long big = __VERIFIER_nondet_ulonglong();
  if (big < 0xffffffffffffff00ull || (big & 255) != 7) return 0;
  long least = __VERIFIER_nondet_long();
  if (least >= -0x7fffffffffffffffl) return 0;
  if (__VERIFIER_nondet_short() != -32768 || !__VERIFIER_nondet_bool() || __VERIFIER_nondet_bool()) return 0;
  if (/* ä */ __VERIFIER_nondet_uint ( /* ) */ ) != 4000000000u) return 0;
  if (__VERIFIER_nondet_pointer() || __VERIFIER_nondet_int128() <= 0x7fffffffffffffff) return 0;
  switch (c) {
  case -100: reach_error();
  }
  return 0;
}
END
violates unreach unreach-call numbers.c
expect_waypoint 'value: "\\result == -100"'
expect_waypoint 'value: "\\result == 18446744073709551367U"'
expect_waypoint 'value: "\\result < -9223372036854775807"'
expect_waypoint 'value: "\\result > 9223372036854775807"'
expect_waypoint 'type: "target" action: "follow" location: file_name: "numbers.c" line: 22 column: 14 function: "main"'
expect_waypoint 'line: 19 column: 48'
expect_waypoint 'format_version: "2.0"'
expect_not_in w.yml thread_id

# Choices of a few values instead.
cat >sampled.c <<'END'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  float f = __VERIFIER_nondet_double();
  if (__VERIFIER_nondet_int() < -9 && f < 0 && __VERIFIER_nondet_ulong() > 1) { reach_error(); }
  return 0;
}
END
violates unreach unreach-call --data=sample sampled.c
expect_waypoint 'value: "\\result == -1.0"'
expect_waypoint 'value: "\\result == -2147483648"'

# Floating point, from the bits.
cat >floats.c <<'END'
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
#include <string.h>
int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  unsigned bits;
  unsigned long more;
  memcpy(&bits, &f, sizeof bits);
  memcpy(&more, &d, sizeof more);
  if (bits == BITS && more == MORE) reach_error();
  return 0;
}
END
violates unreach unreach-call -DBITS=0x3dcccccd -DMORE=0x7ff0000000000000 floats.c
expect_waypoint 'value: "\\result == 0.10000000149011612"'
expect_waypoint 'value: "\\result > 1.7976931348623157e+308"'
violates unreach unreach-call -DBITS=0xff800000 -DMORE=0xc1e0000000200000 floats.c
expect_waypoint 'value: "\\result < -3.4028234663852886e+38"'
expect_waypoint 'value: "\\result == -2147483649.0"'

# Many inputs, in a loop and through functions.
cat >loop.c <<'END'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
static int get(void) { return __VERIFIER_nondet_int(); }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 60; i++) {
    int x = get();
    if (x >= -i) return 0;
    sum += x / 3 + (i % 7 == 3 ? __VERIFIER_nondet_ushort() / 256 : 0);
  }
  if (sum < -1000 || sum % 3 != -1) goto good;
  else error: reach_error();
good:
  return 0;
}
END
violates unreach unreach-call loop.c
[ "$(grep -c function_return w.yml)" = 69 ] || fail "$(grep -c function_return w.yml) values instead of 69"

# Threads, which have to take turns.
cat >turns.c <<'END'
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {
  int v = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m); x = v; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); return a; }
void *g(void *a) {
  pthread_mutex_lock(&m); int seen = x; pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m); int there = y; pthread_mutex_unlock(&m);
  if (seen == 0) if (there) {
    int w = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (w == x && w > 77)
      reach_error();
    pthread_mutex_unlock(&m);
  }
  return a; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0,
                   i ? f : g, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  return 0;
}
END
violates unreach unreach-call turns.c
expect_waypoint 'type: "function_enter" action: "follow" thread_id: 0 location: file_name: "turns.c" line: 22 column: 19'
expect_waypoint 'format: "ext_c_expression"'
expect_waypoint 'format_version: "2.2"'
cat >lost.c <<'END'
#include <pthread.h>
#include <assert.h>
void reach_error(void) { assert(0); }
int n, m;
void step(void) { int t = n; t++; n = t; }
void *f(void *a) { step(); m = n + 1; return a; }
int main(void) {
  pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  if (n == 1 && m == 2) reach_error();
}
END
violates unreach unreach-call lost.c
cat >chosen.c <<'END'
#include <pthread.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
#define N 3
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int sum;
void add(int k) { pthread_mutex_lock(&m); sum += k; pthread_mutex_unlock(&m); }
void *f(void *a) { if (__VERIFIER_nondet_bool()) add(*(int *)a); return 0; }
int main(void) {
  pthread_t t[N]; int ids[N];
  for (int i = 0; i < N; i++) { ids[i] = 1 << i; pthread_create(t + i, 0, f, ids + i); }
  pthread_mutex_lock(&m);
  if (sum == 5) reach_error();
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}
END
violates unreach unreach-call chosen.c

# A statement that a thread comes to twice, with others in between.
cat >again.c <<'END'
#include <pthread.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
volatile int x, y, z; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void set(volatile int *p, int v) {
  *p = v;
}
void *t0(void *a) {
  int l44451 = z; y = z * 2;
  if (x == 3)
    y = 3;
  else
    y--;
  return a;
}
void *t1(void *a) {
  int l864878 = z; z = z * 2;
  z++;
  return a;
}
void *t2(void *a) {
  x = z, x = 3;
  pthread_mutex_lock(&m);
  z = x + 2;
  y = x + 0;
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++) { z += i; x = z; }
  return a;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, t0, 0);
  pthread_create(&t[1], 0, t1, 0);
  pthread_create(&t[2], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  if (x == 0 && y == 1)
    reach_error();
  return 0;
}
END
violates unreach unreach-call again.c

# The check can fail.
for wrong in 's/result == [0-9]*/result == 3/' 's/column: 19/column: 18/' 's/thread_id: 2/thread_id: 1/'; do
  violates unreach unreach-call turns.c
  sed "$wrong" w.yml >wrong.yml
  HEDDLE=$heddle python3 "$root/tests/cli/violation.py" wrong.yml >out 2>&1 && fail "a wrong witness is taken: $wrong"
  expect_in out violation.py
done

# Programs of other tests: they are not made for this one.
cp "$root/tests/programs/svcomp/lazy.c" "$root/tests/programs/svcomp/queue-flags.c" "$root/tests/programs/svcomp/defined-reach-error.c" .
violates unreach unreach-call lazy.c
violates unreach unreach-call -DUNGUARDED queue-flags.c
violates unreach unreach-call defined-reach-error.c

# A preprocessed source: its own lines, not those that it comes from. Several sources.
cat >input.h <<'END'
extern void reach_error(void);

extern int __VERIFIER_nondet_int(void);
END
cat >input.c <<'END'
#include "input.h"
#include <stdlib.h>
#define INPUT __VERIFIER_nondet_int()
int main(void) {
  int x = __VERIFIER_nondet_int(); int y = INPUT;
  if (x + y == 77 && x > 1000)
    reach_error();
  return 0;
}
END
gcc -E input.c >input.i
violates unreach unreach-call input.i
line=$(grep -n '^ *reach_error();' input.i | cut -d: -f1)
expect_waypoint "type: \"target\" action: \"follow\" location: file_name: \"input.i\" line: $line column: 5"
echo 'int other(int x) { return x; }' >other.c
violates unreach unreach-call input.i other.c

# Races: two places in the last segment.
cat >race.c <<'END'
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; } *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a) {
  int n = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m);
  head->v = n;
  pthread_mutex_unlock(&m);
  if (n == 12345)
    head->v
      = 3;
  return a;
}
int main(void) {
  head = malloc(sizeof *head); if (!head) abort(); head->v = 0;
  pthread_t t, u; pthread_create(&t, 0, w, 0);
  pthread_create(&u, 0, w, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  free(head); return 0;
}
END
violates race no-data-race race.c
racy racy.c
violates race no-data-race racy.c
[ "$(grep -c '"target"' w.yml)" = 2 ] || fail "a race without two targets"

# Memory: the statement that does it; where the process ends.
cat >memory.c <<'END'
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > MOST) return 0;
  char *p = malloc(8);
  if (!p) exit(1);
  memset(p, 1, n);
  if (n == 3) { p = 0; END; }
  free(p);
  return 0;
}
END
violates memory valid-deref -DMOST=9 '-DEND=exit(0)' memory.c
expect_waypoint 'value: "\\result == 9"'
expect_waypoint 'type: "target" action: "follow" location: file_name: "memory.c" line: 9 column: 3'
violates memory valid-memtrack -DMOST=8 '-DEND=exit(0)' memory.c
expect_waypoint 'value: "\\result == 3"'
rm w.yml
run check --property=memory.prp --witness=w.yml -DMOST=8 '-DEND=return 0' memory.c
expect_code 1
expect_in out 'no witness was written: where main() returned, which is where the memory is lost, is not recorded'
[ ! -e w.yml ] || fail "a witness was written"

# Overflows of all operators, found by what the input is asked for; with threads.
cat >overflow.c <<'END'
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -5)
    WHAT;
  return 0;
}
END
for what in 'x = x - 10' 'x += x' 'x *= 7' 'x--' 'x = -x' 'x = x / (x + 7 ? -1 : 1)' 'x = x << 9' 'x = 1 << (x & 31)'; do
  violates overflow no-overflow "-DWHAT=$what" overflow.c
done
cat >counted.c <<'END'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = 2147483645;
void *count(void *a) {
  pthread_mutex_lock(&m);
  if (n < 2147483647) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    n++;
  }
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
END
violates overflow no-overflow counted.c
expect_waypoint 'line: 9 column: 5'

# There is none of what holds; and what cannot be asked for.
rm w.yml
run check --property=race.prp --witness=w.yml numbers.c
expect_in out 'no witness was written: there are witnesses of violations alone'
[ ! -e w.yml ] || fail "a witness was written"
run check --witness=w.yml numbers.c
expect_complaint '--witness needs a property of SV-COMP, which the witness is to violate'
run check --property=unreach.prp --witness=w.yml --memory=tso numbers.c
expect_complaint '--witness and --memory=tso exclude each other: witnesses know no buffers'
run check --property=unreach.prp --witness=w.yml numbers.cc
expect_complaint '--witness needs C sources, whose lines it names (.c or .i); numbers.cc is none'
run check --property=unreach.prp --witness=none/w.yml lazy.c
expect_code 2
expect_line out '  unreach.prp: false(unreach-call)'
expect_in err 'none/w.yml'
done_testing
