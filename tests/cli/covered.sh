# What a verdict says of inputs and orders: which were sampled, which were missing, which were explored as stronger ones.
. "$(dirname "$0")/lib.sh"

# Values that were drawn: a reason, with the places; the same whoever explores.
cat >drawn.c <<'END'
#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  for (int i = 0; i < 2; i++) assert(x + __VERIFIER_nondet_uchar() != 12345);
  return 0;
}
END
for options in "" "-j 2" "--strategy=naive" "--strategy=dpor" "--strategy=dpor -j 2" "--strategy=mcr" "--strategy=random"; do
  run check --data=sample $options drawn.c
  expect_code 3
  expect_line out "  not covered: inputs were sampled: a few of the values that they may have were tried, drawn at drawn.c:5:11 and drawn.c:6:31"
done
run check --data=sample --json drawn.c
expect_in out '"verdict": "BOUNDED"'
expect_in out '"uncovered": ["inputs were sampled: a few of the values that they may have were tried, drawn at drawn.c:5:11 and drawn.c:6:31"]'
run check --data=sample --stats drawn.c
expect_line out "verdict BOUNDED"

# One schedule alone draws: an earlier sitting of a campaign, or another worker, may be the one that saw it.
cat >early.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
static atomic_int x, n;
static void *count(void *unused) {
  for (int i = 0; i < 3; i++) n++;
  x = 1;
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, count, 0);
  if (x == FIRST) __VERIFIER_nondet_int();
  pthread_create(&t[1], 0, count, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
END
for first in 0 1; do
  run check --data=sample --campaign=kept$first --executions=5 -DFIRST=$first early.c
  expect_code 3
  run check --data=sample --campaign=kept$first -DFIRST=$first early.c
  expect_code 3
  expect_in out "not covered: inputs were sampled: a few of the values that they may have were tried, drawn at early.c:13:19"
  expect_not_in out "limit"
  run check --data=sample -j 2 --strategy=dpor -DFIRST=$first early.c
  expect_code 3
  expect_in out "drawn at early.c:13:19"
done

# Missing input and arguments: a line, no bound.
cat >inputs.c <<'END'
#include <stdio.h>
int main(int argc, char **argv) {
  (void)argv;
  int c = getchar();
  return argc > 1 && c == 'x';
}
END
echo xyz >some
run check inputs.c
expect_code 0
expect_line out "  standard input was empty (--input gives one): read at inputs.c:4:11"
expect_line out "  the program looks at its arguments and was given none (behind --)"
run check --json inputs.c
expect_code 0
expect_in out '"notes": ["standard input was empty (--input gives one): read at inputs.c:4:11", "the program looks at its arguments and was given none (behind --)"]'
run check --input=some inputs.c -- y
expect_code 0
expect_not_in out "standard input"
expect_not_in out "looks at its arguments"
run check --json --input=some inputs.c -- y
expect_in out '"notes": []'
cat >unused.c <<'END'
int main(int argc, char **argv) { return (void)argc, (void)argv, 0; }
END
run check unused.c
expect_code 0
expect_not_in out "looks at its arguments"

# Clocks: every order of the looks, and one course of time.
cat >clock.c <<'END'
#include <time.h>
int main(void) {
  return time(0) == 5;
}
END
run check clock.c
expect_code 0
expect_line out "  one course of time was explored for each order in which the clock is read: at clock.c:3:10"

# Orders that allow more than what was explored.
cat >orders.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, flag, count;
static void *write(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_thread_fence(memory_order_acquire);
  atomic_fetch_add(&count, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  atomic_store_explicit(&count, 0, memory_order_relaxed);
  pthread_create(&t, 0, write, 0);
  int one = 1;
  if (atomic_load_explicit(&flag, memory_order_relaxed)) atomic_compare_exchange_strong_explicit(&data, &one, 2, memory_order_seq_cst, memory_order_acquire);
  atomic_compare_exchange_strong_explicit(&data, &one, 1, memory_order_acq_rel, memory_order_relaxed);
  pthread_join(t, 0);
  return atomic_load_explicit(&count, memory_order_relaxed) - 1;
}
END
where="relaxed at orders.c:16:7, orders.c:17:3 and orders.c:5:3; release at orders.c:6:3; acq_rel at orders.c:17:3"
run check orders.c
expect_code 0
expect_line out "  5 places with weaker orders than seq_cst were explored as seq_cst, C11 allows more: $where"
for memory in tso pso; do
  run check --memory=$memory orders.c
  expect_code 0
  expect_in out "  5 places with weaker orders than seq_cst were explored as $memory, C11 allows more: relaxed at"
done
run check --json orders.c
expect_in out '"weak_orders": {"relaxed": ["orders.c:16:7", "orders.c:17:3", "orders.c:5:3"], "release": ["orders.c:6:3"], "acq_rel": ["orders.c:17:3"]}'
sed 's/relaxed\|release\|acquire\|acq_rel/seq_cst/g' orders.c >strong.c
run check strong.c
expect_code 0
expect_not_in out "C11"
run check --json strong.c
expect_not_in out "weak_orders"

# A stack in the program's memory is not used: neither are locals found there, nor is it seen when it ends too early.
cat >stack.c <<'END'
#include <pthread.h>
static _Alignas(16) char stack[1 << 16];
static void *work(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_attr_t a;
  pthread_attr_init(&a);
#ifdef OWN
  pthread_attr_setstack(&a, stack, sizeof stack);
#endif
  pthread_create(&t, &a, work, stack);
  pthread_join(t, 0);
}
END
run check -DOWN stack.c
expect_code 0
expect_in out "  threads were given stacks in the program's memory, but had their locals elsewhere: created at stack.c:11:3"
run check stack.c
expect_code 0
expect_not_in out "given stacks"

# std::atomic: the place is the program's. What the library's own headers do is the library's business.
cat >orders.cc <<'END'
#include <atomic>
#include <memory>
#include <thread>
static std::atomic<int> n;
static int &once() {
  static int &made = *new int(3);
  return made;
}
int main() {
  auto shared = std::make_shared<int>(1);
  std::thread t([shared] {
    once();
    n.fetch_add(*shared, std::memory_order_relaxed);
  });
  once();
  n.store(2);
  t.join();
}
END
run check --no-leaks orders.cc
expect_code 0
expect_line out "  1 place with weaker orders than seq_cst was explored as seq_cst, C11 allows more: relaxed at orders.cc:13:7"
run check --no-leaks -O2 orders.cc
expect_code 0
expect_in out "  1 place with weaker orders than seq_cst was explored as seq_cst, C11 allows more: relaxed at"

done_testing
