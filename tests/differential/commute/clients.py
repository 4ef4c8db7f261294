#!/usr/bin/env python3
"""Random clients of linearizable objects: what they can observe is the same with --spec and without.

    clients.py HEDDLE [PROGRAMS [SEED]]

Each program has two or three threads that call methods of a list-based set and of a counter, decide by what these return, and use
variables of their own. What each call returned is printed at the end: that is an outcome. The specifications are sound (heddle check
--test-spec says nothing against them). The reference is dpor without --spec. What ncmc loses, as mcr does, is counted; it must invent
nothing."""
import json
import os
import random
import subprocess
import sys
import tempfile

OBJECTS = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int number; struct node *next; };
struct set { pthread_mutex_t lock; struct node *first; };
int set_add(struct set *s, int x) {
  pthread_mutex_lock(&s->lock);
  struct node *n = s->first;
  while (n && n->number != x) n = n->next;
  int is_new = !n;
  if (is_new) {
    n = malloc(sizeof *n);
    n->number = x, n->next = s->first, s->first = n;
  }
  pthread_mutex_unlock(&s->lock);
  return is_new;
}
int set_has(struct set *s, int x) {
  pthread_mutex_lock(&s->lock);
  struct node *n = s->first;
  while (n && n->number != x) n = n->next;
  pthread_mutex_unlock(&s->lock);
  return n != 0;
}
int set_size(struct set *s) {
  int n = 0;
  pthread_mutex_lock(&s->lock);
  for (struct node *at = s->first; at; at = at->next) n++;
  pthread_mutex_unlock(&s->lock);
  return n;
}
struct counter { atomic_int n; };
int counter_add(struct counter *c, int x) { atomic_fetch_add(&c->n, x); return 0; }
int counter_get(struct counter *c, int unused) { (void)unused; return atomic_load(&c->n); }
int counter_swap(struct counter *c, int x) { return atomic_exchange(&c->n, x); }
static struct set set = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct counter counter;
static atomic_int x, y;
"""

SPEC = """
object set = arg 0 of set_add, set_has, set_size
  commute set_add(s, a) -> r, set_add(s, b) -> q if a != b || (r == 0 && q == 0)
  commute set_add(s, a) -> r, set_has(s, b) if a != b || r == 0
  commute set_add(s, a) -> r, set_size(s) if r == 0
  commute set_has(s, a), set_has(s, b)
  commute set_has(s, a), set_size(s)
  commute set_size(s), set_size(s)
object counter = arg 0 of counter_add, counter_get, counter_swap
  commute counter_add(c, a), counter_add(c, b)
  commute counter_add(c, a), counter_get(c) if a == 0
  commute counter_get(c), counter_get(c)
"""


def call(rng):
    kind = rng.choice(["add", "add", "has", "size", "count", "count", "get", "swap", "load", "store", "add x"])
    n = rng.randrange(3)
    var = rng.choice("xy")
    return {"add": f"set_add(&set, {n})", "has": f"set_has(&set, {n})", "size": "set_size(&set)", "count": f"counter_add(&counter, {n})",
            "get": "counter_get(&counter, 0)", "swap": f"counter_swap(&counter, {n})", "load": f"atomic_load(&{var})",
            "store": f"atomic_exchange(&{var}, {n})", "add x": f"atomic_fetch_add(&{var}, 1)"}[kind]


def program(rng):
    threads = rng.choice([2, 2, 3])
    text = OBJECTS + f"static int seen[{threads}][8];\n"
    for t in range(threads):
        body, n = "", rng.choice([2, 3, 3] if threads == 2 else [1, 2, 2])
        for i in range(n):
            guard = f"if (seen[{t}][{rng.randrange(i)}] == {rng.randrange(2)}) " if i and rng.random() < 0.4 else ""
            body += f"  {guard}seen[{t}][{i}] = {call(rng)};\n"
        text += f"static void *thread{t}(void *p) {{\n{body}  return p;\n}}\n"
    text += f"int main(void) {{\n  pthread_t t[{threads}];\n"
    if rng.random() < 0.5:
        text += f"  set_add(&set, {rng.randrange(3)});\n"
    for t in range(threads):
        text += f"  pthread_create(&t[{t}], 0, thread{t}, 0);\n"
    for t in range(threads):
        text += f"  pthread_join(t[{t}], 0);\n"
    text += f"  for (int i = 0; i < {threads}; i++)\n    for (int k = 0; k < 3; k++) printf(\"%d \", seen[i][k]);\n"
    return text + '  printf("%d %d %d\\n", set_size(&set), counter_get(&counter, 0), x * 10 + y);\n  return 0;\n}\n'


def explore(heddle, path, options):
    command = [heddle, "check", "--no-leaks", "--no-schedule", "--outcomes", "--json", *options, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    report = json.loads(done.stdout) if done.stdout else {"verdict": done.stderr, "outcomes": [], "executions": 0}
    return frozenset(outcome["text"] for outcome in report["outcomes"]), report["executions"], report["verdict"]


class Count:
    """Of one way to explore, over all programs."""

    def __init__(self):
        self.executions = self.missing = self.invented = self.unlike = 0

    def add(self, got, reference, executions, verdict_is_right):
        self.executions += executions
        self.missing += len(reference - got)
        self.invented += len(got - reference)
        self.unlike += got != reference or not verdict_is_right
        return got == reference and verdict_is_right


def main():
    heddle, programs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    counts, bad, observed = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        spec, path = os.path.join(folder, "client.spec"), os.path.join(folder, "client.c")
        with open(spec, "w") as f:
            f.write(SPEC)
        for i in range(programs):
            with open(path, "w") as f:
                f.write(program(random.Random(seed * 1000003 + i)))
            reference, n, verdict = explore(heddle, path, ["--strategy=dpor"])
            observed += len(reference)
            counts.setdefault("dpor", Count()).add(reference, reference, n, True)
            bad += verdict != "SAFE" or not reference
            for way in "dpor", "maximal", "ncmc":
                got, n, verdict = explore(heddle, path, ["--strategy=" + way, "--no-predict", "--ignore=data-race", "--spec=" + spec])
                wanted = "BOUNDED" if way == "ncmc" else "SAFE"
                alike = counts.setdefault(way + " --spec", Count()).add(got, reference, n, verdict == wanted)
                # what ncmc loses is only counted
                if (way != "ncmc" and not alike) or got - reference or verdict != wanted:
                    bad += 1
                    print(f"program {i} of seed {seed}, {way}: {verdict}, missing {sorted(reference - got)}, invented {sorted(got - reference)}")
                    print(open(path).read())
    print(f"{programs} programs, {observed} outcomes, {bad} differences")
    for way, c in counts.items():
        print(f"  {way}: {c.executions} executions, {c.missing} outcomes of {c.unlike} programs missing, {c.invented} invented")
    return 1 if bad else 0


sys.exit(main())
