# replay --gdb: sessions of Debian's gdb, forwards and backwards.
. "$(dirname "$0")/lib.sh"

# A session of these commands with the schedule s; leaves code and out.
gdb_session() {
  printf '%s\n' "$@" >commands
  "$heddle" replay --gdb s -- -batch -nx -x commands >out 2>&1
  code=$?
  ran="heddle replay --gdb with $*"
}

# Two threads lose an update, and main finds out.
cat >lost.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
struct account {
  int balance;
  const char *owner;
};
static struct account account = {10, "ann"};
static void *pay(void *amount) {
  int before = account.balance;
  account.balance = before + *(int *)amount;
  return amount;
}
int main(void) {
  pthread_t a, b;
  int ten = 10, five = 5;
  pthread_create(&a, NULL, pay, &ten);
  pthread_create(&b, NULL, pay, &five);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(account.balance == 25);
  return 0;
}
END
run check -O0 --only=assertion -o s lost.c
expect_code 1

# The failing assertion, with main's variables; back to the write that broke it, which has the thread's; back further to the write that
# was lost, and to where that thread had read.
gdb_session continue 'frame function main' 'print ten + five' 'print account' 'watch account.balance' reverse-continue bt 'print before' \
  'info threads' reverse-continue 'print before' delete 'break 10' reverse-continue 'print account'
expect_code 0
expect_in out 'heddle: assertion: '
expect_in out 'received signal SIGABRT'
expect_in out '$1 = 15'
grep -qE '^.2 = .balance = (15|20), owner = 0x[0-9a-f]+ "ann".$' out || fail "$ran: no account: $(cat out)"
expect_in out 'hit Hardware watchpoint 1: account.balance'
grep -qxE 'Old value = (15|20)' out || fail "$ran: no old value: $(cat out)"
grep -qxE 'New value = (15|20)' out || fail "$ran: no new value: $(cat out)"
expect_in out ' pay (amount='
expect_in out 'lost.c:11'
expect_in out '$3 = 10'
expect_in out '(thread 0.'
expect_in out 'New value = 10'
expect_in out '$4 = 10'
expect_in out 'hit Breakpoint 2, pay (amount='
expect_in out '$5 = {balance = 10, owner = '
expect_not_in out 'Cannot access'

# Lines forwards and backwards, both ends, what the monitor tells.
gdb_session 'break pay' continue next step 'info locals' reverse-step reverse-next 'monitor position' 'monitor threads' 'monitor finding' \
  'monitor buffers' 'monitor nonsense' 'print &account' finish delete continue continue 'monitor position' reverse-continue
expect_code 0
expect_in out 'hit Breakpoint 1, pay (amount='
expect_in out 'before = 10'
expect_in out 'instruction '
expect_in out '> thread 0.'
expect_in out "heddle: assertion: lost.c:21: "
expect_in out 'under SC no store waits in a buffer'
expect_in out 'there is no command "nonsense"; monitor help lists them'
expect_in out ' <account>'
expect_in out 'No more reverse-execution history.'
[ "$(grep -c 'No more reverse-execution history' out)" = 2 ] || fail "$ran: not both ends: $(cat out)"
# Nothing can be changed.
gdb_session 'set var account.balance = 7'
expect_in out 'Cannot access memory'
gdb_session 'print getpid()'
expect_not_in out '$1'

# Conditions, and a breakpoint that both threads come to where the schedule changes threads at that very line.
gdb_session 'break lost.c:10' continue continue continue
[ "$(grep -c 'hit Breakpoint 1' out)" = 2 ] || fail "$ran: not two threads: $(cat out)"
gdb_session 'break lost.c:11 if *(int*)amount == 5' continue 'print *(int*)amount' continue
expect_in out '$1 = 5'
[ "$(grep -c 'hit Breakpoint 1' out)" = 1 ] || fail "$ran: not one thread: $(cat out)"

# Without debugging information: functions by their names.
clang-19 -O1 -g0 -emit-llvm -c lost.c -o lost.bc
run check --only=assertion -o s lost.bc
gdb_session 'break pay' continue bt
expect_in out 'in pay ()'

# TSO: a store that waits in a buffer.
cat >buffer.c <<'END'
#include <assert.h>
#include <pthread.h>
static int x, y, saw_x, saw_y;
static void *one(void *unused) {
  x = 1;
  saw_y = y;
  return unused;
}
static void *two(void *unused) {
  y = 1;
  saw_x = x;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(saw_x || saw_y);
  return 0;
}
END
run check -O0 --only=assertion --memory=tso -o s buffer.c
expect_code 1
gdb_session 'break 6' 'break 11' continue 'monitor buffers' continue 'monitor buffers' 'print x + y'
expect_in out 'x = 1  stored at buffer.c:5:5'
expect_in out 'y = 1  stored at buffer.c:10:5'

# What a function has returned, also if nobody uses it.
cat >back.c <<'END'
#include <assert.h>
#include <pthread.h>
static int shared = 5;
[[gnu::noinline]] static int twice(int n) { return 2 * n + shared; }
[[gnu::noinline]] static double half(int n) { return n / 2.0; }
struct pair { long a; double b; };
struct turned { double a; long b; };
struct longs { long a, b; };
[[gnu::noinline]] static struct pair pair(void) { return (struct pair){3, 1.5}; }
[[gnu::noinline]] static struct turned turned(void) { return (struct turned){2.5, 4}; }
[[gnu::noinline]] static struct longs longs(void) { return (struct longs){5, 6}; }
[[gnu::noinline]] static long double extended(void) { return 1.25L; }
[[gnu::noinline]] static float small(void) { return 0.75f; }
static void *set(void *unused) {
  shared = 7;
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, set, NULL);
  int t = twice(20);
  (void)twice(1);
  pair(), turned(), longs(), extended(), small();
  double h = half(t);
  pthread_join(a, NULL);
  assert(t != 47 || h < 0);
  return 0;
}
END
run check -O0 --only=assertion -o s back.c
expect_code 1
gdb_session 'break twice' 'break half' continue finish continue
expect_in out 'Value returned is $1 = 47'
gdb_session 'break half' continue finish
expect_in out 'Value returned is $1 = 23.5'
for f in 'pair {a = 3, b = 1.5}' 'turned {a = 2.5, b = 4}' 'longs {a = 5, b = 6}' 'extended 1.25' 'small 0.75'; do
  gdb_session "break ${f%% *}" continue finish
  expect_in out "Value returned is \$1 = ${f#* }"
done
gdb_session 'break twice' continue continue finish
expect_in out 'Value returned is $1 = '
expect_not_in out 'Value returned is $1 = 0'

# Stores of different sizes over each other, in place: each with the value that it has, also where the next one has covered it.
cat >sizes.c <<'END'
#include <assert.h>
#include <pthread.h>
static unsigned label asm("another name");
static union {
  unsigned whole;
  unsigned char bytes[4];
} u;
static unsigned saw;
static void *one(void *unused) {
  u.whole = 0x01020304;
  u.bytes[1] = 9;
  u.bytes[0] = 8;
  label = 5;
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, one, NULL);
  saw = u.whole;
  pthread_join(a, NULL);
  assert(saw != 0x01020304 || label != 5);
  return 0;
}
END
run check -O0 --only=assertion --memory=tso -o s sizes.c
expect_code 1
gdb_session 'break 13' continue 'monitor buffers' 'print/x u.whole'
grep -qE '= 16909060 +stored at sizes.c:10' out || fail "$ran: not the whole: $(cat out)"
grep -qE '= 9 +stored at sizes.c:11' out || fail "$ran: not the second byte: $(cat out)"
grep -qE '= 8 +stored at sizes.c:12' out || fail "$ran: not the first byte: $(cat out)"
expect_in out '$1 = 0x1020908'

# A deadlock: both threads where they wait.
crossed x.c
run check -O0 -o s x.c
expect_code 1
gdb_session continue 'info threads' 'thread apply all bt' continue
expect_in out 'heddle: deadlock: '
expect_in out 'other (unused='
expect_in out 'waits for a'

# C++: the library's containers as its printers show them, inlined functions, members.
cat >v.cc <<'END'
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
struct store {
  std::vector<int> numbers;
  std::map<int, std::string> names;
  std::mutex m;
  void add(int n) {
    if (numbers.size() < 2) {
      std::lock_guard<std::mutex> lock(m);
      numbers.push_back(n);
      names[n] = "number " + std::to_string(n);
    }
  }
};
int main() {
  store s;
  s.numbers = {7};
  std::thread a([&] { s.add(1); }), b([&] { s.add(2); });
  a.join();
  b.join();
  assert(s.numbers.size() < 3);
}
END
run check -O0 --only=assertion -o s v.cc
expect_code 1
gdb_session continue 'frame function main' 'print s.numbers' 'print s.names' 'break store::add' reverse-continue 'print this->numbers' 'print n'
expect_in out 'std::vector of length 3, capacity 4 = {7, '
expect_in out 'std::map with 2 elements = {[1] = "number 1", [2] = "number 2"}'
expect_in out 'store::add (this='
expect_in out 'std::vector of length 1, capacity 1 = {7}'

# A gdb that connects by itself.
run check -O0 --only=assertion -o s lost.c
"$heddle" replay --gdb-server "$work/socket" s >served 2>said &
for i in $(seq 100); do [ -S socket ] && break || sleep 0.1; done
file=$(sed -n "s/^heddle: waiting for gdb: gdb -ex 'target remote .*' //p" said)
gdb -q -nx -batch -ex "target remote $work/socket" -ex 'break pay' -ex continue -ex kill "$file" >out 2>err
wait
expect_in out 'hit Breakpoint 1, pay (amount='

# What cannot be.
run replay --gdb --json s
expect_complaint '--gdb and --gdb-server go with none of --step, --json and --full'
run replay --gdb-server 70000 s
expect_complaint '--gdb-server: 70000 is no port'
echo mine >mine
run replay --gdb-server mine s
expect_complaint 'cannot listen at mine: Address already in use'
expect_line mine mine
run replay --gdb-server "$work/no/socket" s
expect_complaint "cannot listen at $work/no/socket: No such file or directory"
mkdir empty
ran="replay --gdb without gdb"
PATH=$work/empty "$heddle" replay --gdb s >out 2>err
code=$?
expect_in err 'there is no gdb'
done_testing
