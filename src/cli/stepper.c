#include "cli/stepper.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/console.h"
#include "cli/options.h"
#include "machine/machine.h"
#include "report/action.h"
#include "report/report.h"
#include "report/sources.h"
#include "report/style.h"
#include "report/variable.h"
#include "report/witness.h"

#define LINES_AROUND 5
#define STACK_MAX    64

struct stepper {
  struct machine *m;
  const struct image *image;
  struct witness witness; /* the whole execution, as it was run once */
  struct replayer r;      /* where we are */
  struct sources sources;
  struct style style;
  struct text out;
  uint32_t thread; /* the one in focus: it took the last step, or takes the first */
  bool quit;
};

struct stepper_command {
  const char *name;
  char letter;
  const char *argument;
  const char *help;
  void (*run)(struct stepper *s, const char *argument);
};

/* The first event of step number `step` (from 1), or NULL. */
static const struct moment *moment_of(const struct stepper *s, uint64_t step) {
  const struct timeline *t = &s->witness.timeline;
  for (size_t i = 0; i < t->moments.count; i++)
    if (t->moments.data[i].step == step) return &t->moments.data[i];
  return NULL;
}

static bool marked(const struct stepper *s, uint64_t step) {
  const struct timeline *t = &s->witness.timeline;
  for (size_t i = 0; i < t->moments.count; i++)
    if (t->moments.data[i].step == step && t->moments.data[i].marked) return true;
  return false;
}

static void source_line(struct stepper *s, const struct place *place) {
  struct text line = {0};
  sources_line(&s->sources, place->file, place->line, &line);
  if (line.count) {
    text_puts(&s->out, "    ");
    style_put(&s->style, INK_CODE, text_str(&line), &s->out);
    text_puts(&s->out, "\n");
  }
  text_release(&line);
}

static void say_moment(struct stepper *s, const struct moment *moment) {
  style_printf(&s->style, INK_FAINT, &s->out, "%s", moment->marked ? "> " : "  ");
  text_printf(&s->out, "step %" PRIu64 "/%" PRIu64 "  thread %s  ", moment->step, s->witness.timeline.steps,
              machine_thread_name(s->m, moment->thread));
  place_text(&moment->place, &s->out);
  text_puts(&s->out, "  ");
  style_put(&s->style, moment->marked ? INK_HEADLINE : INK_PLAIN, timeline_string(&s->witness.timeline, moment->words), &s->out);
  text_puts(&s->out, "\n");
}

static void say_end(struct stepper *s) {
  text_puts(&s->out, "  the execution ends here");
  if (s->witness.shown) text_printf(&s->out, ": %s: %s", finding_kind_text(s->witness.finding.kind), text_str(&s->witness.finding.message));
  text_puts(&s->out, "\n");
}

/* Where we are: the step just taken and its line. */
static void say_here(struct stepper *s) {
  const struct timeline *t = &s->witness.timeline;
  if (s->r.step == 0) text_printf(&s->out, "  before the first of %" PRIu64 " steps\n", t->steps);
  for (size_t i = 0; i < t->moments.count; i++)
    if (t->moments.data[i].step == s->r.step && s->r.step) say_moment(s, &t->moments.data[i]);
  const struct moment *first = moment_of(s, s->r.step);
  if (first && s->r.step) source_line(s, &first->place);
  if (replayer_ended(&s->r)) say_end(s);
}

static bool advance(struct stepper *s) {
  struct diag d = {0};
  uint32_t thread, event;
  bool good = !replayer_ended(&s->r) && !replayer_next(&s->r, &thread, &d);
  if (good) {
    replayer_take(&s->r, thread, &event);
    s->thread = machine_owner(s->m, thread);
  } else if (d.message.count) {
    text_printf(&s->out, "  %s\n", text_str(&d.message));
  }
  diag_release(&d);
  return good;
}

static void go_to(struct stepper *s, uint64_t step) {
  if (step < s->r.step) replayer_restart(&s->r), s->thread = 0;
  while (s->r.step < step && advance(s)) continue;
}

/* The number that a command takes, 1 by default; 0 if it is none. */
static uint64_t count_of(struct stepper *s, const char *argument) {
  if (!*argument) return 1;
  char *end;
  errno = 0;
  uint64_t n = strtoull(argument, &end, 10);
  if (errno == 0 && *end == 0 && n > 0 && *argument != '-') return n;
  text_printf(&s->out, "  not a number: %s\n", argument);
  return 0;
}

static void run_next(struct stepper *s, const char *argument) {
  uint64_t n = count_of(s, argument);
  if (n == 0) return;
  uint64_t left = s->witness.timeline.steps - s->r.step;
  go_to(s, s->r.step + (n < left ? n : left));
  say_here(s);
}

static void run_back(struct stepper *s, const char *argument) {
  uint64_t n = count_of(s, argument);
  if (n == 0) return;
  go_to(s, n < s->r.step ? s->r.step - n : 0);
  say_here(s);
}

static void run_continue(struct stepper *s, const char *argument) {
  (void)argument;
  while (advance(s))
    if (marked(s, s->r.step)) break;
  say_here(s);
}

static void run_goto(struct stepper *s, const char *argument) {
  uint64_t n = count_of(s, argument);
  if (n == 0) return;
  go_to(s, n < s->witness.timeline.steps ? n : s->witness.timeline.steps);
  say_here(s);
}

static uint32_t stack_of(const struct stepper *s, uint32_t thread, uint32_t *sites) {
  return tset_has(machine_alive(s->m), thread) ? machine_stack(s->m, thread, sites, STACK_MAX) : 0;
}

static struct place place_now(const struct stepper *s, uint32_t thread) {
  uint32_t sites[STACK_MAX];
  return place_of_stack(s->image, sites, stack_of(s, thread, sites));
}

static void run_list(struct stepper *s, const char *argument) {
  (void)argument;
  const struct moment *moment = moment_of(s, s->r.step);
  struct place place = moment && s->r.step ? moment->place : place_now(s, s->thread);
  uint32_t count = sources_count(&s->sources, place.file);
  if (count == 0) text_puts(&s->out, "  there is no source to list\n");
  uint32_t from = place.line > LINES_AROUND ? place.line - LINES_AROUND : 1;
  for (uint32_t line = from; line <= count && line <= place.line + LINES_AROUND; line++) {
    text_printf(&s->out, "%s%5u  ", line == place.line ? "> " : "  ", line);
    sources_line_indented(&s->sources, place.file, line, &s->out);
    text_puts(&s->out, "\n");
  }
}

static void run_print(struct stepper *s, const char *argument) {
  struct diag d = {0};
  if (!*argument) diag_set(&d, ERR_USAGE, "print what? A variable's name, with members and indices: account[2].balance");
  if (d.message.count || variable_text(s->image, s->m, s->thread, argument, &s->out, &d))
    text_printf(&s->out, "  %s", text_str(&d.message));
  text_puts(&s->out, "\n");
  diag_release(&d);
}

static void run_threads(struct stepper *s, const char *argument) {
  (void)argument;
  const struct tset *alive = machine_alive(s->m);
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1)) {
    if (machine_pending(s->m, t)->op == EVENT_FLUSH) {
      text_printf(&s->out, "  %s: ", machine_thread_name(s->m, t));
      action_text(&s->witness.timeline.names, s->image, s->m, machine_pending(s->m, t), NULL, &s->out);
      text_puts(&s->out, " next\n");
      continue;
    }
    struct place place = place_now(s, t);
    text_printf(&s->out, "%sthread %s  ", t == s->thread ? "> " : "  ", machine_thread_name(s->m, t));
    place_text(&place, &s->out);
    text_puts(&s->out, "  ");
    if (tset_has(machine_enabled(s->m), t))
      text_printf(&s->out, "before %s", event_op_text((enum event_op)machine_pending(s->m, t)->op));
    else
      action_wait_text(&s->witness.timeline.names, s->m, machine_pending(s->m, t), &s->out);
    text_puts(&s->out, "\n");
  }
  if (tset_empty(alive)) text_puts(&s->out, "  no thread is left\n");
}

static void run_where(struct stepper *s, const char *argument) {
  uint32_t thread = *argument ? machine_thread_find(s->m, argument) : s->thread;
  uint32_t sites[STACK_MAX];
  uint32_t n = thread < THREADS_MAX ? stack_of(s, thread, sites) : 0;
  if (n == 0) text_puts(&s->out, "  there is no such thread now\n");
  for (uint32_t i = 0; i < n; i++) {
    struct place place = place_of_site(s->image, sites[i]);
    text_printf(&s->out, "  #%u  %s at ", i, place.function);
    place_text(&place, &s->out);
    text_puts(&s->out, "\n");
  }
}

static void run_output(struct stepper *s, const char *argument) {
  (void)argument;
  const struct text *output = machine_output(s->m, 1);
  text_puts(&s->out, text_str(output));
  if (output->count && output->data[output->count - 1] != '\n') text_puts(&s->out, "\n");
}

static void run_quit(struct stepper *s, const char *argument) {
  (void)argument;
  s->quit = true;
}

static void run_help(struct stepper *s, const char *argument);

static const struct stepper_command stepper_commands[] = {
    {"next", 'n', "[N]", "take the next step, or N", run_next},
    {"back", 'b', "[N]", "go back one step, or N", run_back},
    {"continue", 'c', "", "go on to the next step of the finding, or to the end", run_continue},
    {"goto", 'g', "N", "go to step N", run_goto},
    {"list", 'l', "", "list the source around the last step", run_list},
    {"print", 'p', "VARIABLE", "print a variable: name, name.member, name[index], name->member", run_print},
    {"threads", 't', "", "list the threads and what they stand before", run_threads},
    {"where", 'w', "[THREAD]", "print the call stack of a thread", run_where},
    {"output", 'o', "", "print what the program wrote so far", run_output},
    {"help", 'h', "", "print this text", run_help},
    {"quit", 'q', "", "leave", run_quit},
    {NULL, 0, NULL, NULL, NULL},
};

static void run_help(struct stepper *s, const char *argument) {
  (void)argument;
  for (const struct stepper_command *c = stepper_commands; c->name; c++)
    text_printf(&s->out, "  %c, %-8s %-9s %s\n", c->letter, c->name, c->argument, c->help);
  text_puts(&s->out, "  an empty line repeats the last command\n");
}

static const struct stepper_command *find(const char *name, size_t n) {
  for (const struct stepper_command *c = stepper_commands; c->name; c++)
    if ((n == 1 && name[0] == c->letter) || (strlen(c->name) == n && memcmp(c->name, name, n) == 0)) return c;
  return NULL;
}

static void obey(struct stepper *s, const char *line) {
  size_t n = strcspn(line, " \t");
  const struct stepper_command *c = find(line, n);
  if (c)
    c->run(s, line + n + strspn(line + n, " \t"));
  else
    text_printf(&s->out, "  there is no command \"%.*s\"; help lists them\n", (int)n, line);
}

static int flush(struct stepper *s) {
  struct diag d = {0};
  int code = console_write(&s->out, &d) ? console_complain(&d) : EXIT_SAFE;
  text_clear(&s->out);
  diag_release(&d);
  return code;
}

static int converse(struct stepper *s) {
  char *line = NULL;
  size_t cap = 0;
  struct text last = {0};
  bool prompting = isatty(STDIN_FILENO);
  int code = EXIT_SAFE;
  say_here(s);
  while (!s->quit && code == EXIT_SAFE) {
    if (prompting) text_puts(&s->out, "(heddle) ");
    code = flush(s);
    ssize_t n = code == EXIT_SAFE ? getline(&line, &cap, stdin) : -1;
    if (n < 0) break;
    while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == ' ' || line[n - 1] == '\r')) line[--n] = 0;
    const char *command = line + strspn(line, " \t");
    if (*command) text_clear(&last), text_puts(&last, command);
    if (last.count) obey(s, text_str(&last));
  }
  if (code == EXIT_SAFE) code = flush(s);
  free(line); /* getline's own */
  text_release(&last);
  return code;
}

int stepper_run(struct machine *m, const struct image *image, const struct report_finding *finding, bool no_color) {
  struct stepper s = {.m = m, .image = image, .style = style_for(STDOUT_FILENO, no_color)};
  struct diag d = {0};
  int code;
  if (witness_make(&s.witness, m, image, &finding->schedule, NULL, &d)) {
    code = console_complain(&d);
  } else {
    timeline_focus(&s.witness.timeline, &s.witness.replayer, s.witness.shown ? &s.witness.finding : NULL, true);
    replayer_start(&s.r, m, image, &finding->schedule);
    code = converse(&s);
    if (code == EXIT_SAFE && s.witness.shown) code = EXIT_BUG;
    replayer_release(&s.r);
  }
  witness_release(&s.witness);
  sources_release(&s.sources);
  text_release(&s.out);
  diag_release(&d);
  return code;
}
