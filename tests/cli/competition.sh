# Properties and results as software verification competitions (SV-COMP) have them.
. "$(dirname "$0")/lib.sh"

competition_properties
property termination 'F end'
property wrong 'G ! oops'

# A lock, and three threads; a property that needs one more than they add.
cat >lazy.c <<'END'
extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
pthread_mutex_t mutex;
int data;
void *first(void *arg) { pthread_mutex_lock(&mutex); data++; pthread_mutex_unlock(&mutex); return arg; }
void *second(void *arg) { pthread_mutex_lock(&mutex); data += 2; pthread_mutex_unlock(&mutex); return arg; }
void *third(void *arg) {
  pthread_mutex_lock(&mutex);
  if (data >= LIMIT) { ERROR: { reach_error(); abort(); } }
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main() {
  pthread_t a, b, c;
  pthread_mutex_init(&mutex, 0);
  pthread_create(&a, 0, first, 0), pthread_create(&b, 0, second, 0), pthread_create(&c, 0, third, 0);
  pthread_join(a, 0), pthread_join(b, 0), pthread_join(c, 0);
  return 0;
}
END
run check --property=unreach.prp -DLIMIT=3 lazy.c
expect_code 1
expect_line out "  unreach.prp: false(unreach-call)"
cp out false.out
run check --property=unreach.prp -DLIMIT=4 lazy.c
expect_code 0
expect_line out "  unreach.prp: true"
cp out true.out
run check --property=unreach.prp --executions=1 --strategy=dpor -DLIMIT=4 lazy.c
expect_code 3
expect_line out "  unreach.prp: unknown"
cp out unknown.out
run check --json --property=unreach.prp -DLIMIT=3 lazy.c
expect_in out '"property": "unreach.prp", "result": "false(unreach-call)"'

# Threads that talk by racing: reach_error() is asked for, and the races do not matter. One value of the input makes the program wrong.
cat >peterson.c <<'END'
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((__nothrow__, __leaf__, __noreturn__));
void reach_error() { __assert_fail("0", "peterson.c", 2, "reach_error"); }
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) abort(); }
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>
int one, other, turn, x, wrong;
void *first(void *arg) { one = !wrong, turn = 1; while (other == 1 && turn == 1) {} x = 0; if (x > 0) reach_error(); one = 0; return arg; }
void *second(void *arg) { other = 1, turn = 0; while (one == 1 && turn == 0) {} x = 1; if (x < 1) reach_error(); other = 0; return arg; }
int main() {
  pthread_t a, b;
  int n = __VERIFIER_nondet_int();
  assume_abort_if_not(n > 5);
  wrong = WRONG;
  pthread_create(&a, 0, first, 0), pthread_create(&b, 0, second, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  return 0;
}
END
run check --property=unreach.prp -DWRONG=0 peterson.c
expect_code 0
expect_line out "  unreach.prp: true"
expect_in out "data-race: 1"
run check --property=unreach.prp -DWRONG='(n == 123456)' peterson.c
expect_code 1
expect_line out "  unreach.prp: false(unreach-call)"
run check --property=race.prp -DWRONG=0 peterson.c
expect_code 1
expect_line out "  race.prp: false(no-data-race)"

# Memory: what is wrong is named. An assertion of the program's own ends the program, and calls no reach_error().
cat >memory.c <<'END'
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
#if WRONG == 1
  p[4] = 1;
#elif WRONG == 2
  free(p);
#elif WRONG == 3
  return 0;
#elif WRONG == 4
  assert(!p);
#endif
  free(p);
  return 0;
}
END
for case in 0:true '1:false(valid-deref)' '2:false(valid-free)' '3:false(valid-memtrack)'; do
  run check --property=memory.prp -DWRONG="${case%%:*}" memory.c
  expect_line out "  memory.prp: ${case#*:}"
done
run check --property=unreach.prp -DWRONG=4 memory.c
expect_line out "  unreach.prp: true"

# Overflows, with all inputs: what the type has is none, nor what unsigned types do, or a conversion. The program is compiled for it.
cat >overflow.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  short s = __VERIFIER_nondet_short();
  unsigned u = 4000000000u + (unsigned)x;
  s++;
  if (x > 100)
    WHAT;
  return u == 5;
}
END
for what in 'x = -x' 'x = -1 << (x & 31)' 'x = s * s' 'u = u * u' 'x = x / -1' 'x = (x % 1000) * 2000001 + (x == 1999)' 'x = x >> 3' 's = (short)x'; do
  run check --property=overflow.prp "-DWHAT=$what" overflow.c
  expect_code 0
  expect_line out "  overflow.prp: true"
done
for what in 'x = x + 1' 'x = -3 << (x & 31)' 'x = s * s * s' '{ long l = x; l *= l; l *= l; }' 'x = (x % 1000) * 2200000'; do
  run check --schedule=overflow.schedule --property=overflow.prp "-DWHAT=$what" overflow.c
  expect_code 1
  expect_line out "  overflow.prp: false(no-overflow)"
  run replay overflow.schedule
  expect_code 1
  expect_in out ' overflows'
done
run check --property=race.prp '-DWHAT=x = x + 1' overflow.c
expect_line out "  race.prp: true"
cc -c -o object.o -DWHAT= overflow.c 2>err || fail "cc: $(cat err)"
run check --property=overflow.prp object.o
expect_complaint "no-overflow is asked of sources, which are compiled for it; object.o is none"

# The call is what counts, whatever the function does; a program need not have it. The finding can be replayed.
cat >call.c <<'END'
#include <stdlib.h>
void reach_error(void) { DOES; }
int main(void) {
  reach_error();
  return 0;
}
END
for does in '' 'abort()' 'exit(1)' 'for (;;)' '*(volatile int *)0 = 1'; do
  run check --property=unreach.prp "-DDOES=$does" call.c
  expect_code 1
  expect_line out "  unreach.prp: false(unreach-call)"
done
run check --property=unreach.prp -DDOES= call.c
run replay "$(ls heddle-property-*.schedule | tail -1)"
expect_code 1

# What cannot be asked.
run check --property=termination.prp memory.c
expect_complaint "termination.prp:1: heddle check does not look for termination"
run check --property=wrong.prp memory.c
expect_complaint "wrong.prp:1: this is no property that heddle check knows"
run check --property=race.prp --property=memory.prp memory.c
expect_complaint "race.prp and memory.prp: one file of SV-COMP's properties can be asked for"
for option in --only=leak --ignore=leak --no-leaks; do
  run check --property=race.prp $option memory.c
  expect_complaint "${option%%=*} cannot change what a property of SV-COMP asks for"
done
run check --property=none.prp memory.c
expect_code 2
for text in '' '# nothing' '  '; do
  printf '%s\n' "$text" >empty.prp
  run check --property=empty.prp memory.c
  expect_complaint "empty.prp has no property"
done
{ printf '# of memory\n\n// in three lines\n' && cat memory.prp; } >commented.prp
run check --property=commented.prp -DWRONG=2 memory.c
expect_line out "  commented.prp: false(valid-free)"

# BenchExec's module, with as much of BenchExec as it uses.
mkdir -p benchexec/tools
touch benchexec/__init__.py benchexec/tools/__init__.py
cat >benchexec/result.py <<'END'
RESULT_TRUE_PROP, RESULT_UNKNOWN, RESULT_TIMEOUT, RESULT_ERROR = "true", "unknown", "TIMEOUT", "ERROR"
END
cat >benchexec/tools/template.py <<'END'
class UnsupportedFeatureException(Exception):
    pass
class BaseTool2:
    pass
END
cat >try.py <<'END'
import sys, types
sys.path[:0] = [sys.argv[1], "."]
import heddle
tool, Space = heddle.Tool(), types.SimpleNamespace
task = Space(property_file="u.prp", input_files_or_identifier=["a.i"], options={"data_model": "LP64"})
assert tool.cmdline("h", ["--time=9"], task, None) == ["h", "check", "--time=9", "--property=u.prp", "a.i"]
witness = ["--witness", "witness.yml"]
assert tool.cmdline("h", witness, task, None) == ["h", "check", *witness, "--property=u.prp", "a.i"]
task.options["data_model"] = "ILP32"
try:
    tool.cmdline("h", [], task, None)
    raise SystemExit("ILP32 is not refused")
except heddle.UnsupportedFeatureException:
    pass
for name, code, wanted in (("true", 0, "true"), ("false", 1, "false(unreach-call)"), ("unknown", 3, "unknown")):
    run = Space(was_timeout=False, exit_code=Space(value=code), output=open(name + ".out").readlines())
    assert tool.determine_result(run) == wanted, (name, tool.determine_result(run))
assert tool.determine_result(Space(was_timeout=False, exit_code=Space(value=2), output=[])) == "ERROR"
END
PYTHONDONTWRITEBYTECODE=1 python3 try.py "$root/contrib/benchexec" || fail "contrib/benchexec/heddle.py"
done_testing
