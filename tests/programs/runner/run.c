/* Runs the test programs: what each says in its header (spec.h) must be what `heddle check` and `heddle exec` say.
 *
 *     run [-j N] [-n] [-v] [-t SECONDS] [-k SUBSTRING] [-H HEDDLE] [-I INCLUDE] [-w WORKDIR] PATH..
 *
 * -n: only read the headers. One process a case, N at a time. Prints a line for each case that fails and a closing count; exit code 1 if
 * one failed. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json.h"
#include "process.h"
#include "spec.h"

#define WORDS_MAX 96

static struct {
  const char *heddle, *include, *work, *only, *cc, *cxx;
  unsigned seconds;
  int jobs;
  bool verbose, parse_only;
} settings = {.heddle = "heddle", .include = "include", .cc = "clang-19", .cxx = "clang++-19", .seconds = 60, .jobs = 2};

/* The case that this process runs. */
static struct {
  const char *path;
  const struct spec_case *c;
} now;

struct command {
  const char *words[WORDS_MAX];
  int n;
};

[[gnu::format(printf, 1, 2)]] _Noreturn static void fail(const char *format, ...) {
  char text[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  printf("FAIL %s%s%s: %s\n", now.path, *now.c->name ? " " : "", now.c->name, text);
  fflush(stdout);
  _exit(1);
}

static void add(struct command *k, const char *word) {
  if (k->n + 1 >= WORDS_MAX) fail("command too long");
  k->words[k->n++] = word;
  k->words[k->n] = NULL;
}

static void add_all(struct command *k, char *const *words) {
  for (; *words; words++) add(k, *words);
}

/* The case's options; "{here}" in one stands for the program's folder. */
static void add_options(struct command *k) {
  static const char mark[] = "{here}";
  for (char *const *w = now.c->options; *w; w++) {
    const char *at = strstr(*w, mark), *end = strrchr(now.path, '/');
    char *word = *w;
    if (at && asprintf(&word, "%.*s%.*s%s", (int)(at - *w), *w, (int)(end - now.path), now.path, at + strlen(mark)) < 0)
      fail("no memory is left");
    add(k, word); /* for as long as the process */
  }
}

static struct process_result run(struct command *k, const char *input) {
  struct process_result r = process_run((char *const *)(uintptr_t)k->words, input, settings.seconds);
  if (r.signal == SIGALRM) fail("%s %s: no end after %u s", k->words[0], k->words[1], settings.seconds);
  if (r.signal) fail("%s %s: killed by signal %d\n%s", k->words[0], k->words[1], r.signal, r.err);
  return r;
}

static bool kind_matches(const char *kinds, const char *kind) {
  size_t n = strlen(kind);
  for (const char *k = kinds; *k; k += strcspn(k, "|"), k += *k == '|')
    if (strcspn(k, "|") == n && !memcmp(k, kind, n)) return true;
  return false;
}

static bool has_line(const struct json *finding, int line) {
  for (const struct json *s = json_first(json_get(finding, "sites")); s; s = s->next)
    if (json_number(json_get(s, "line"), 0) == line) return true;
  return false;
}

static bool finding_matches(const struct spec_finding *f, const struct json *finding) {
  char kind[64];
  if (!kind_matches(f->kinds, json_string(json_get(finding, "kind"), kind, sizeof kind))) return false;
  for (int i = 0; i < f->nlines; i++)
    if (!has_line(finding, f->lines[i])) return false;
  return true;
}

/* "data-race at 12 14", for messages. */
static const char *finding_text(const struct json *finding, char *to, size_t size) {
  char kind[64];
  int n = snprintf(to, size, "%s at", json_string(json_get(finding, "kind"), kind, sizeof kind));
  for (const struct json *s = json_first(json_get(finding, "sites")); s && (size_t)n < size; s = s->next)
    n += snprintf(to + n, size - (size_t)n, " %ld", json_number(json_get(s, "line"), 0));
  return to;
}

static void check_expected(const struct json *finding) {
  char text[400];
  bool expected = false;
  for (int i = 0; i < now.c->nfindings; i++) expected |= finding_matches(&now.c->findings[i], finding);
  if (!expected) fail("unexpected finding: %s", finding_text(finding, text, sizeof text));
}

/* Is it the finding, or one of the same defect? */
static bool is_among(const struct spec_finding *f, const struct json *finding) {
  bool found = finding_matches(f, finding);
  for (const struct json *j = json_first(json_get(finding, "also")); j && !found; j = j->next) found = finding_matches(f, j);
  return found;
}

static void check_findings(const struct json *findings) {
  for (const struct json *j = json_first(findings); j; j = j->next) {
    check_expected(j);
    for (const struct json *k = json_first(json_get(j, "also")); k; k = k->next) check_expected(k);
  }
  for (int i = 0; i < now.c->nfindings; i++) {
    const struct spec_finding *f = &now.c->findings[i];
    bool found = f->optional;
    for (const struct json *j = json_first(findings); j; j = j->next) found |= is_among(f, j);
    if (!found) fail("not found: %s (first line %d)", f->kinds, f->nlines ? f->lines[0] : 0);
  }
}

/* The schedule of a finding must show it again, with the same report byte for byte as the one in `report`, the check's text. */
static void check_replay(const struct json *finding, const char *report) {
  char path[PATH_MAX];
  if (!*json_string(json_get(finding, "schedule"), path, sizeof path)) fail("a finding without schedule");
  const struct json *confirmed = json_get(finding, "confirmed");
  if (!confirmed || confirmed->kind != JSON_TRUE) fail("a finding that is not confirmed");
  struct command k = {.words = {settings.heddle, "replay", "--trust", path}, .n = 4}; /* headers from elsewhere */
  struct process_result r = run(&k, NULL);
  if (r.code != 1) fail("replay of %s: exit code %d\n%s", path, r.code, r.err);
  if (!r.nout || !strstr(report, r.out)) fail("replay of %s reports:\n%s\ninstead of\n%s", path, r.out, report);
  process_release(&r);
}

/* Checks again for the text of the report, and replays every schedule that the check wrote. */
static void check_replays(struct command *check, const struct json *findings) {
  check->words[2] = "--format=text";
  struct process_result r = run(check, NULL);
  if (r.code != 1) fail("exit code %d with --format=text", r.code);
  for (const struct json *f = json_first(findings); f; f = f->next) check_replay(f, r.out);
  process_release(&r);
}

static int expected_code(void) {
  if (now.c->exit_code >= 0) return now.c->exit_code;
  return !strcmp(now.c->verdict, "SAFE") ? 0 : !strcmp(now.c->verdict, "BUG") ? 1 : 3;
}

static void check_verdict(void) {
  struct command k = {0};
  char include[PATH_MAX], memory[32], verdict[32];
  add(&k, settings.heddle);
  add(&k, "check");
  add(&k, "--json");
  if (now.c->memory) {
    snprintf(memory, sizeof memory, "--memory=%s", now.c->memory);
    add(&k, memory);
  }
  add_options(&k);
  snprintf(include, sizeof include, "-I%s", settings.include);
  add(&k, "-Wno-everything");
  add(&k, include);
  add_all(&k, now.c->cflags);
  add(&k, now.path);
  if (now.c->args[0]) {
    add(&k, "--");
    add_all(&k, now.c->args);
  }
  struct process_result r = run(&k, NULL);
  if (now.c->exit_code == 2) { /* refused: one message, nothing else */
    if (r.code != 2 || r.out[0]) fail("exit code %d instead of 2\n%s", r.code, r.out);
    process_release(&r);
    return;
  }
  struct json *j = json_parse(r.out);
  if (!j) fail("no JSON, exit code %d\n%s%s", r.code, r.out, r.err);
  json_string(json_get(j, "verdict"), verdict, sizeof verdict);
  char first[400] = "";
  if (json_first(json_get(j, "findings"))) finding_text(json_first(json_get(j, "findings")), first, sizeof first);
  if (strcmp(verdict, now.c->verdict)) fail("verdict %s instead of %s %s\n%s", verdict, now.c->verdict, first, r.err);
  if (r.code != expected_code()) fail("exit code %d instead of %d", r.code, expected_code());
  check_findings(json_get(j, "findings"));
  long executions = json_number(json_get(j, "executions"), -1);
  if (now.c->executions == -2) printf("count %s %s: %ld executions\n", now.path, now.c->name, executions);
  if (now.c->executions >= 0 && executions != now.c->executions) fail("%ld executions instead of %ld", executions, now.c->executions);
  if (json_first(json_get(j, "findings"))) check_replays(&k, json_get(j, "findings"));
  json_free(j);
  process_release(&r);
}

static const char *compiler(void) {
  const char *dot = strrchr(now.path, '.');
  return dot && !strcmp(dot, ".cpp") ? settings.cxx : settings.cc;
}

static struct process_result run_native(const char *input) {
  struct command build = {0}, start = {0};
  char include[PATH_MAX];
  snprintf(include, sizeof include, "-I%s", settings.include);
  add(&build, compiler());
  add(&build, "-w");
  add(&build, "-O1");
  add(&build, "-DHEDDLE_NATIVE");
  add(&build, include);
  add_all(&build, now.c->cflags);
  add(&build, now.path);
  for (const char *const *w = (const char *const[]){"-o", "native", "-lm", "-lpthread", NULL}; *w; w++) add(&build, *w);
  struct process_result r = run(&build, NULL);
  if (r.code) fail("does not compile natively\n%s", r.err);
  process_release(&r);
  add(&start, "./native");
  add_all(&start, now.c->args);
  return run(&start, input);
}

static void check_output(void) {
  const char *input = now.c->input ? "input" : NULL;
  if (input) {
    FILE *f = fopen(input, "w");
    if (!f || fprintf(f, "%s\n", now.c->input) < 0 || fclose(f)) fail("cannot write %s: %s", input, strerror(errno));
  }
  struct process_result native = run_native(input);
  static const char *const levels[] = {"-O0", "-O1", "-O2"};
  for (int i = 0; i < 3; i++) {
    struct command k = {0};
    char include[PATH_MAX];
    snprintf(include, sizeof include, "-I%s", settings.include);
    add(&k, settings.heddle);
    add(&k, "exec");
    add(&k, levels[i]);
    add(&k, "-Wno-everything");
    if (input) add(&k, "--input=input");
    add(&k, include);
    add_all(&k, now.c->cflags);
    add(&k, now.path);
    if (now.c->args[0]) add(&k, "--");
    add_all(&k, now.c->args);
    struct process_result r = run(&k, NULL);
    if (r.code != native.code) fail("exec %s: exit code %d instead of %d\n%s", levels[i], r.code, native.code, r.err);
    if (strcmp(r.out, native.out)) fail("exec %s: output differs\n--- machine\n%.600s--- native\n%.600s", levels[i], r.out, native.out);
    if (strcmp(r.err, native.err)) fail("exec %s: error output differs: %s", levels[i], r.err);
    process_release(&r);
  }
  process_release(&native);
}

_Noreturn static void run_case(const char *path, const struct spec_case *c, int number) {
  char absolute[PATH_MAX], folder[PATH_MAX];
  now.path = path;
  now.c = c;
  if (!realpath(path, absolute)) fail("%s", strerror(errno));
  snprintf(folder, sizeof folder, "%s/%d", settings.work, number);
  if (mkdir(folder, 0777) && errno != EEXIST) fail("%s: %s", folder, strerror(errno));
  if (chdir(folder)) fail("%s: %s", folder, strerror(errno));
  now.path = absolute;
  if (c->native) check_output();
  if (c->verdict) check_verdict();
  if (settings.verbose) printf("ok   %s %s\n", path, c->name);
  fflush(stdout);
  _exit(0);
}

struct tally {
  int running, passed, failed;
};

static void reap(struct tally *t) {
  int status;
  if (wait(&status) < 0) return;
  t->running--;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    t->passed++;
  else
    t->failed++;
}

static void run_file(const char *path, struct tally *t) {
  static int number;
  struct spec s;
  if (!spec_read(&s, path)) {
    t->failed++;
    return;
  }
  for (int i = 0; i < s.ncases; i++) {
    if (settings.parse_only) {
      t->passed++;
      continue;
    }
    while (t->running >= settings.jobs) reap(t);
    fflush(stdout);
    number++;
    pid_t pid = fork();
    if (pid == 0) run_case(path, &s.cases[i], number);
    if (pid > 0) t->running++;
  }
  free(s.text);
}

static int is_program(const struct dirent *e) {
  const char *dot = strrchr(e->d_name, '.');
  return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".cpp"));
}

/* A program, or a folder with programs. */
static void run_path(const char *path, struct tally *t) {
  struct dirent **entries;
  int n = scandir(path, &entries, is_program, alphasort);
  if (n < 0 && (!settings.only || strstr(path, settings.only))) run_file(path, t);
  for (int i = 0; i < n; i++) {
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
    if (!settings.only || strstr(file, settings.only)) run_file(file, t);
    free(entries[i]);
  }
  if (n >= 0) free(entries);
}

static const char *absolute(const char *path) {
  char *r = strchr(path, '/') ? realpath(path, NULL) : strdup(path);
  if (r) return r;
  fprintf(stderr, "run: %s: %s\n", path, strerror(errno));
  exit(2);
}

int main(int argc, char **argv) {
  char work[] = "/tmp/heddle-programs-XXXXXX";
  for (int o; (o = getopt(argc, argv, "j:nvt:k:H:I:w:")) != -1;) {
    if (o == 'j') settings.jobs = atoi(optarg);
    if (o == 'n') settings.parse_only = true;
    if (o == 'v') settings.verbose = true;
    if (o == 't') settings.seconds = (unsigned)atoi(optarg);
    if (o == 'k') settings.only = optarg;
    if (o == 'H') settings.heddle = absolute(optarg);
    if (o == 'I') settings.include = optarg;
    if (o == 'w') settings.work = absolute(optarg);
    if (o == '?') return 2;
  }
  if (optind == argc) {
    fprintf(stderr, "usage: run [-j N] [-n] [-v] [-t SECONDS] [-k SUBSTRING] [-H HEDDLE] [-I INCLUDE] [-w WORKDIR] PATH..\n");
    return 2;
  }
  char *include = realpath(settings.include, NULL);
  if (include) settings.include = include;
  bool own_folder = !settings.work;
  if (own_folder) settings.work = mkdtemp(work);
  struct tally t = {0};
  for (int i = optind; i < argc; i++) run_path(argv[i], &t);
  while (t.running) reap(&t);
  printf("%d passed, %d failed\n", t.passed, t.failed);
  if (own_folder && !t.failed) {
    struct process_result r = process_run((char *[]){"rm", "-rf", work, NULL}, NULL, 60);
    process_release(&r);
  } else if (own_folder) {
    printf("the cases' files are in %s\n", work);
  }
  free(include);
  return t.failed || !t.passed;
}
