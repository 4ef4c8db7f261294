"""Checks a violation witness of `heddle check --witness`.

    violation.py WITNESS      the C compiler's flags are the lines of the file "flags"

1. The file is YAML, has the keys that the format has, and no others; the hashes are those of the files.
2. Each place is what it has to be, as a look at the source tells: the bracket of a call, the beginning of a statement.
3. The program is built with the witness in it: __VERIFIER_nondet_*() return the values, one after the other, and before each statement
   that the witness stops a thread at, the thread waits for its turn. It is run natively, without any code of Heddle's: reach_error() must be
   reached with nothing left over; gcc's ThreadSanitizer must report a race's two lines, its UndefinedBehaviorSanitizer an overflow's line.
   Of several threads a witness leaves things open, and one run shows nothing. So `heddle check` looks for an execution of the program with
   its stops that reaches reach_error(); $HEDDLE is its path.
"""
import datetime
import hashlib
import os
import re
import subprocess
import sys
import uuid

import yaml

TYPES = {
    "bool": "_Bool", "_Bool": "_Bool", "char": "char", "schar": "signed char", "uchar": "unsigned char", "short": "short",
    "ushort": "unsigned short", "int": "int", "uint": "unsigned", "unsigned": "unsigned", "long": "long", "ulong": "unsigned long",
    "longlong": "long long", "ulonglong": "unsigned long long", "float": "float", "double": "double", "pointer": "void *",
    "size_t": "unsigned long", "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned", "loff_t": "long",
    "int128": "__int128", "uint128": "unsigned __int128",
}


def check(holds, what):
    if not holds:
        raise SystemExit("violation.py: " + what)


def has_keys(value, needed, optional=()):
    check(isinstance(value, dict), "%r is no mapping" % (value,))
    check(set(needed) <= set(value) <= set(needed) | set(optional), "keys %s, not %s" % (sorted(value), sorted(needed)))


class Source:
    def __init__(self, path):
        self.text = open(path, encoding="utf-8").read()
        self.starts = [0] + [m.end() for m in re.finditer("\n", self.text)]

    def offset(self, place):
        return self.starts[place["line"] - 1] + place["column"] - 1


def check_waypoint(waypoint, threads, sources):
    has_keys(waypoint, ["type", "action", "location"], ["constraint", "thread_id"])
    check(waypoint["action"] == "follow", "action %r" % waypoint["action"])
    place, kind = waypoint["location"], waypoint["type"]
    has_keys(place, ["file_name", "line", "column"], ["function"])
    check(place["file_name"] in sources, "a place in another file")
    source = sources[place["file_name"]]
    at = source.offset(place)
    before, behind = source.text[:at], source.text[at:]
    if kind == "function_return":
        has_keys(waypoint["constraint"], ["value", "format"])
        check(waypoint["constraint"]["format"] == ("ext_c_expression" if threads else "acsl_expression"), "format")
        check(re.fullmatch(r"\\result (==|!=|<|>) -?[0-9.e+-]+U?", waypoint["constraint"]["value"]), waypoint["constraint"]["value"])
        call = re.search(r"__VERIFIER_nondet_(\w+)\s*\((\s|/\*((?!\*/).)*\*/)*$", before)
        check(behind.startswith(")") and call, "no call returns at %s" % place)
        return call.group(1)
    if kind == "function_enter":
        check(behind.startswith("(") and re.search(r"(pthread_create|thrd_create)\s*$", before), "no thread is created at %s" % place)
    elif kind == "assumption":
        check(waypoint["constraint"] == {"value": "1", "format": "c_expression"}, "constraint")
    else:
        check(kind == "target", "type %r" % kind)
    if kind in ("assumption", "target"):
        check(re.search(r"([;{}:)(]|\belse|\*/|//[^\n]*)\s*$", before) and re.match(r"[\w*(]", behind), "no statement begins at %s" % place)
    return None


def check_structure(witness):
    check(isinstance(witness, list) and len(witness) == 1, "not a list of one entry")
    entry = witness[0]
    has_keys(entry, ["entry_type", "metadata", "content"])
    check(entry["entry_type"] == "violation_sequence", "entry_type")
    metadata = entry["metadata"]
    has_keys(metadata, ["format_version", "uuid", "creation_time", "producer", "task"])
    check(uuid.UUID(metadata["uuid"]).version == 4, "uuid")
    made = datetime.datetime.strptime(metadata["creation_time"], "%Y-%m-%dT%H:%M:%SZ")
    check(abs((datetime.datetime.utcnow() - made).total_seconds()) < 600, "creation_time")
    has_keys(metadata["producer"], ["name", "version"])
    task = metadata["task"]
    has_keys(task, ["input_files", "input_file_hashes", "specification", "data_model", "language"])
    check((task["data_model"], task["language"]) == ("LP64", "C"), "data_model, language")
    check(set(task["input_files"]) == set(task["input_file_hashes"]), "input_file_hashes")
    for path, digest in task["input_file_hashes"].items():
        check(hashlib.sha256(open(path, "rb").read()).hexdigest() == digest, "the hash of " + path)
    for line in task["specification"].split("\n"):
        check(re.fullmatch(r"CHECK\( init\(main\(\)\), LTL\(G .+\) \)", line), "specification")
    return entry, task


def read_waypoints(entry, sources):
    """All waypoints in their order, each with the function that returns."""
    threads = entry["metadata"]["format_version"] == "2.2"
    check(threads or entry["metadata"]["format_version"] == "2.0", "format_version")
    waypoints, numbers = [], 1
    for i, item in enumerate(entry["content"]):
        has_keys(item, ["segment"])
        last = i + 1 == len(entry["content"])
        for inner in item["segment"]:
            has_keys(inner, ["waypoint"])
            waypoint = inner["waypoint"]
            waypoint["returns"] = check_waypoint({k: v for k, v in waypoint.items()}, threads, sources)
            check((waypoint["type"] == "target") == last, "the target is the last segment")
            check(("thread_id" in waypoint) == threads, "thread_id")
            check(waypoint.get("thread_id", 0) < numbers, "a thread that was not created")
            numbers += waypoint["type"] == "function_enter"
            waypoints.append(waypoint)
        check(len(item["segment"]) == 1 or last, "a segment with several waypoints")
    return waypoints


def value_text(waypoint):
    """A value of which the constraint holds: the nearest one."""
    operator, number = waypoint["constraint"]["value"].split()[1:]
    floating = waypoint["returns"] in ("float", "double")
    if operator == "!=":
        return "__builtin_nan(\"\")" if floating else "1"
    if operator == "==":
        return number
    if floating:
        return ("-" if operator == "<" else "") + "__builtin_inf()"
    return "(__int128)%s %s 1" % (number, "-" if operator == "<" else "+")


STUB = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef MODEL
#include <heddle.h>
#undef pthread_create
#define usleep(n) (void)0
#define pause() 0
#define getenv(name) 0
#define WRONG hd_assume(0)
#define REACHED hd_assert(now != COUNT)
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
#define real_create pthread_create
#else
#define WRONG _exit(99)
#define REACHED (printf("reached %%u of %%u\\n", now, (unsigned)COUNT), fflush(stdout), _exit(42))
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
#define real_create __real_pthread_create
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static unsigned now, threads = 1;
static __thread unsigned me, passed; /* passed: all before are no business of this thread's any more */
enum { RETURN, ENTER, STOP };
static const struct { unsigned what, thread, place; } waypoints[] = { %(rows)s { 9, 0, 0 } };
static const char targets[64] = { %(targets)s };
enum { COUNT = sizeof waypoints / sizeof *waypoints - 1 };
static int has_more(void) {
  for (unsigned i = passed; i < COUNT; i++)
    if (waypoints[i].thread == me) return 1;
  return 0;
}
/* Waits for the turn of the thread's next waypoint if that is the one, and takes it. */
static int turn(unsigned what, unsigned place) {
  unsigned next = passed;
  while (next < COUNT && waypoints[next].thread != me) next++;
  if (next == COUNT || waypoints[next].what != what || waypoints[next].place != place) return -1;
  pthread_mutex_lock(&lock);
  while (now < next) pthread_cond_wait(&moved, &lock);
  pthread_mutex_unlock(&lock);
  if (what == STOP) usleep(20000); /* the statement that another thread was let go to is behind it then */
  passed = next + 1;
  pthread_mutex_lock(&lock);
  now = next + 1;
  pthread_cond_broadcast(&moved);
  pthread_mutex_unlock(&lock);
  if (what == STOP && getenv("HEDDLE_TEST_STAYS") && !has_more() && !targets[me]) pause();
  return (int)next;
}
void heddle_test_stop(unsigned place) { turn(STOP, place); }
struct start { void *(*f)(void *); void *argument; unsigned number, passed; };
static void *begin(void *data) {
  struct start s = *(struct start *)data;
  me = s.number, passed = s.passed;
  if (!has_more() && !targets[me]) pause(); /* the execution has no need of it */
  if (!has_more() && getenv("HEDDLE_TEST_STAYS")) usleep(200000);
  return s.f(s.argument);
}
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *argument) {
  static struct start starts[64];
  int at = turn(ENTER, 0);
  unsigned number = threads++;
  starts[number] = (struct start){ f, argument, number, at < 0 ? COUNT : (unsigned)at + 1 };
  return real_create(t, a, begin, &starts[number]);
}
#ifndef MODEL
static pthread_mutex_t atomic = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&atomic); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&atomic); }
#endif
void reach_error(void) { REACHED; }
"""


def build(waypoints, sources, flags, extra):
    """The program with `heddle_test_stop(N);` before the statements, and its other half."""
    steps = [w for w in waypoints if w["type"] != "target"]
    kinds = {"function_return": 0, "function_enter": 1, "assumption": 2}
    rows, stops, cases = "", {}, {}
    for i, w in enumerate(steps):
        place = 0
        if w["type"] == "assumption":
            key = (w["location"]["file_name"], sources[w["location"]["file_name"]].offset(w["location"]))
            place = stops.setdefault(key, len(stops))
        rows += "{ %d, %d, %d }, " % (kinds[w["type"]], w.get("thread_id", 0), place)
        if w["type"] == "function_return":
            cases.setdefault(w["returns"], []).append("case %d: return (T)(%s);" % (i, value_text(w)))
    targets = " ".join("[%d] = 1," % w.get("thread_id", 0) for w in waypoints if w["type"] == "target")
    text = STUB % {"rows": rows, "targets": targets}
    for name in TYPES:
        if name.endswith("128") and name not in cases:
            continue
        body = "switch (turn(RETURN, 0)) { %s }" % " ".join(cases.get(name, [])).replace("(T)", "(%s)" % TYPES[name])
        text += "%s __VERIFIER_nondet_%s(void) { %s if (has_more()) WRONG; return 0; }\n" % (TYPES[name], name, body)
    open("stub.c", "w").write(text)
    files = []
    for number, (path, source) in enumerate(sources.items()):
        changed = source.text
        for (file, offset), place in sorted(stops.items(), reverse=True):
            if file == path:
                behind = changed[:offset].rstrip()[-1:] in ";{}:"
                stop = "heddle_test_stop(%d); " if behind else "if (heddle_test_stop(%d), 0) {} else "
                changed = changed[:offset] + stop % place + changed[offset:]
        files.append("copy-%d.c" % number)
        open(files[-1], "w").write("void heddle_test_stop(unsigned);\n#line 1 \"%s\"\n" % path + changed)
    objects = []
    for path in files + ["stub.c"]:
        objects.append(path[:-2] + ".o")
        subprocess.run(["gcc", "-w", "-g", "-O0", "-fPIC", "-I.", *extra, *flags, "-c", path, "-o", objects[-1]], check=True)
    for path in objects[:-1]:
        subprocess.run(["objcopy", "--weaken-symbol=reach_error", path], check=True)
    subprocess.run(["gcc", *extra, "-Wl,--wrap=pthread_create", *objects, "-pthread", "-o", "native"], check=True)
    return len(steps)


def lines_of(place, sources):
    """Pattern: the lines of the statement that begins there."""
    source = sources[place["file_name"]]
    last = source.text[: source.text.index(";", source.offset(place))].count("\n") + 1
    return "|".join(r"%s:%d\b" % (re.escape(place["file_name"]), n) for n in range(place["line"], last + 1))


def any_way(holds):
    """Does the program do it? A thread that comes to its last stop goes on, or stays there: it may have been in the midst of the statement.
    A thread without stops begins at once, or later."""
    for settings in {}, {"HEDDLE_TEST_STAYS": "1"}:
        run = subprocess.run(["timeout", "5", "./native"], capture_output=True, env={**os.environ, **settings}, check=False)
        if holds((run.returncode, run.stdout.decode(), run.stderr.decode())):
            return True
        print(run)
    return False


def search(flags, copies):
    """Is there any execution that stops as the witness says, and reaches reach_error() then? heddle check is asked, of the program with
    its stops."""
    files = ["copy-%d.c" % i for i in range(copies)] + ["stub.c"]
    options = ["--no-schedule", "--only=assertion", "--stop-at-first", "--time=100", "-Wno-everything", "-DMODEL", "-Dpthread_create=__wrap_pthread_create"]
    run = subprocess.run([os.environ["HEDDLE"], "check", *options, *flags, *files], capture_output=True, check=False)
    check(run.returncode == 1, "no execution does what the witness says: %s" % (run.stdout + run.stderr).decode())


def main():
    flags = open("flags").read().splitlines()
    entry, task = check_structure(yaml.safe_load(open(sys.argv[1], encoding="utf-8")))
    sources = {path: Source(path) for path in task["input_files"]}
    waypoints = read_waypoints(entry, sources)
    if "reach_error" in task["specification"]:
        steps = build(waypoints, sources, flags, [])
        wanted = "reached %d of %d\n" % (steps, steps)
        threads = "thread_id" in waypoints[-1]
        if threads and not any("void reach_error(void) {" in source.text for source in sources.values()):
            search(flags, len(sources))
        else:
            check(any_way(lambda run: run[:2] == (42, wanted)), "reach_error() was not reached")
    elif "data-race" in task["specification"]:
        build(waypoints, sources, flags, ["-fsanitize=thread"])
        places = [lines_of(w["location"], sources) for w in waypoints[-2:]]
        races = lambda run: "data race" in run[2] and all(re.search(p, run[2]) for p in places)
        check(any_way(races), "no race at %s" % places)
    elif "overflow" in task["specification"]:
        build(waypoints, sources, flags, ["-fsanitize=signed-integer-overflow,shift"])
        pattern = r"(%s):\d+: runtime error: (signed integer overflow|left shift|negation|division)" % lines_of(waypoints[-1]["location"], sources)
        check(any_way(lambda run: re.search(pattern, run[2])), "no overflow at %s" % waypoints[-1]["location"])


main()
