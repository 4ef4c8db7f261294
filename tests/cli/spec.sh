# Specifications: heddle run --spec and heddle cc -fheddle-spec, what they refuse, and that programs carry theirs.
. "$(dirname "$0")/lib.sh"

cat >box.c <<'END'
int box_put(int *b, int x) { return x + (b == 0); }
int box_never(int *b) { return *b; }
END
cat >main.c <<'END'
#include <pthread.h>
int box_put(int *b, int x);
static int box;
static void *work(void *unused) {
  box_put(&box, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  box_put(&box, 1);
  pthread_join(t, 0);
  return 3;
}
END
cat >box.spec <<'END'
object box
  action box_put(b, x) on b: put(x)
  action box_missing(b) on b: all
  conflict put put
END
printf 'object box\n  action box_put(b) on c: put\n' >wrong.spec
gcc -c box.c -o box.o && ar rcs libbox.a box.o
"$heddle" cc -g -fheddle=run -fheddle-spec=box.spec main.c -L. -lbox -o carries || fail "heddle cc -fheddle-spec"
"$heddle" cc -g -fheddle=run main.c box.o -o plain || fail "heddle cc"
"$heddle" cc -g -fheddle-spec=box.spec main.c box.o -o unwatched || fail "heddle cc -fheddle-spec without -fheddle=run"
"$heddle" cc -g -fheddle=run -fheddle-spec=box.spec -c main.c -o main.o || fail "heddle cc -c -fheddle-spec"

run run --exit-code=66 ./carries
expect_code 66
expect_in err "WARNING: Heddle: commutativity race"
expect_in err "all of box_put(0x"
expect_in err ", 1) by "
expect_line err "Heddle: 1 finding (commutativity-race: 1)"
run run --json --spec=box.spec ./carries
expect_code 3
expect_in err '"kind": "commutativity-race"'
expect_in err '"access": "call of box_put(0x'
run run --spec box.spec ./plain
expect_code 3
expect_empty err
./unwatched
[ $? = 3 ] || fail "a program that nobody watches"

run run --spec=wrong.spec ./plain
expect_complaint 'wrong.spec:2:24: there is no parameter "c"'
run run --spec=missing.spec ./plain
expect_complaint 'cannot read a specification from missing.spec: No such file or directory'
cp box.spec twice.spec
echo '# the same again' >>twice.spec
run run --spec=box.spec --spec=twice.spec ./plain
expect_complaint 'twice.spec:1:8: object "box" is specified already'
HEDDLE_OPTIONS=spec=wrong.spec "$heddle" run ./plain >out 2>err
code=$? ran='heddle run with a wrong specification in the environment'
expect_complaint 'wrong.spec:2:24: there is no parameter "c"'
HEDDLE_OPTIONS=spec=missing.spec "$heddle" run ./plain >out 2>err
code=$? ran='heddle run with a missing specification in the environment'
expect_complaint 'cannot read a specification from missing.spec: No such file or directory'
run cc -fheddle=run -fheddle-spec=wrong.spec main.c box.o -o other
expect_complaint 'wrong.spec:2:24: there is no parameter "c"'
[ ! -e other ] || fail "a program in spite of a wrong specification"
run cc -fheddle=run -fheddle-spec=missing.spec main.c box.o -o other
expect_code 2
printf 'object x\n\0' >zero.spec
run run --spec=zero.spec ./plain
expect_code 2
expect_in err "zero.spec is not text: it has a zero byte"
run cc -fheddle=run -fheddle-spec=zero.spec main.c box.o -o other
expect_code 2
expect_in err "zero.spec is not text: it has a zero byte"

done_testing
