/* Command-line options: one table that parser, --help and the check of the manual pages read. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

/* Which commands take an option. */
enum command_bit { CHECK = 1, REPLAY = 2, EXEC = 4, SHOW = 8, RUN = 16, TRACE = 32, PREDICT = 64, RECORD = 128, REPRODUCE = 256 };

/* COUNT: a number that may be left out, NUMBER_LEFT_OUT then. */
enum option_kind { OPTION_FLAG, OPTION_WORD, OPTION_NUMBER, OPTION_COUNT, OPTION_SECONDS, OPTION_WORDS };
#define NUMBER_LEFT_OUT UINT64_MAX

/* A vector (base/vec.h) of words of the command line, and once finished a NULL-terminated array. */
struct words {
  const char **data;
  size_t count, cap;
};
/* These words, and no others. */
void words_set(struct words *w, size_t n, const char *const *words);

/* X(field, kind, letter, name, argument, initial, commands, help) */
#define OPTION_LIST(X)                                                                                                                     \
  X(memory, WORD, 0, "memory", "MODEL", "sc", CHECK | REPRODUCE | RECORD, "memory model: sc, tso or pso")                                  \
  X(strategy, WORD, 0, "strategy", "NAME", NULL, CHECK | REPRODUCE | RECORD,                                                               \
    "how executions are chosen, by default maximal (record: random); see below")                                                           \
  X(bound, NUMBER, 0, "bound", "N", UINT64_MAX, CHECK, "icb, dpor: only executions with at most N preemptions")                            \
  X(cutoffs, FLAG, 0, "cutoffs", NULL, false, CHECK, "unfolding: leave out events that lead to a state that is known")                     \
  X(order, WORD, 0, "order", "NAME", NULL, CHECK, "unfolding: which alternative comes next: depth (the default), breadth or random")       \
  X(dependency, WORD, 0, "dependency", "NAME", NULL, CHECK, "mcr-s, mcr-s+: reads that events depend on: all, dynamic or static")          \
  X(seed, NUMBER, 0, "seed", "N", 1, CHECK | RECORD, "random, pct, --order=random: seed of the random numbers")                            \
  X(pct_depth, NUMBER, 0, "pct-depth", "N", 3, CHECK, "pct: depth of the bugs to look for")                                                \
  X(state_memory, NUMBER, 0, "state-memory", "MB", 0, CHECK, "maximal: memory for known states; default: a quarter of the computer's")     \
  X(predict, FLAG, 0, "predict", NULL, false, CHECK, "ask of each execution what another order of its events shows, and run that")         \
  X(no_predict, FLAG, 0, "no-predict", NULL, false, CHECK, "do not predict; random, pct, mcr and its variants predict by default")         \
  X(jobs, NUMBER, 'j', "jobs", "N", 1, CHECK | REPRODUCE | PREDICT,                                                                        \
    "work with N processes (check: maximal, dpor, mcr and its variants, random, pct)")                                                     \
  X(campaign, WORD, 0, "campaign", "FOLDER", NULL, CHECK, "keep the exploration in FOLDER, and go on with the one there (dpor)")           \
  X(data, WORD, 0, "data", "HOW", NULL, CHECK, "__VERIFIER_nondet_*() give any value: symbolic; or a few: sample")                         \
  X(data_inputs, NUMBER, 0, "inputs", "N", UINT64_MAX, CHECK, "symbolic data: stop after N inputs; 0: never")                              \
  X(executions, NUMBER, 0, "executions", "N", 0, CHECK | REPRODUCE | RECORD, "stop after N executions")                                    \
  X(time, SECONDS, 0, "time", "SECONDS", 0, CHECK | REPRODUCE | REPLAY | EXEC | PREDICT | RECORD, "stop after so many seconds")            \
  X(loop_bound, NUMBER, 0, "loop-bound", "N", 0, CHECK, "stop a thread that comes to a step of a loop more than N times")                  \
  X(step_limit, NUMBER, 0, "step-limit", "N", 100000, CHECK, "cut executions after N steps; 0: never")                                     \
  X(linearizable, FLAG, 0, "linearizable", NULL, false, CHECK,                                                                             \
    "the program is an object's operations (HD_OPERATION): do they behave as if they ran one after the other?")                            \
  X(scenario_threads, NUMBER, 0, "threads", "N", 2, CHECK, "--linearizable: scenarios of up to N threads")                                 \
  X(scenario_operations, NUMBER, 0, "operations", "N", 2, CHECK, "--linearizable: with up to N operations each")                           \
  X(scenario_arguments, NUMBER, 0, "arguments", "N", 2, CHECK, "--linearizable: every argument from 1 to N")                               \
  X(scenario, WORD, 0, "scenario", "TEXT", NULL, CHECK, "--linearizable: this scenario alone: \"put(1) get() | get()\"")                   \
  X(model, WORD, 0, "model", "FILE", NULL, CHECK, "--linearizable: compare with the operations of FILE, run one after the other")          \
  X(progress, WORD, 0, "progress", "HOW", NULL, CHECK,                                                                                     \
    "--linearizable: may operations be kept from ending? obstruction-, lock- or wait-free")                                                \
  X(crash, FLAG, 0, "crash", NULL, false, CHECK, "--linearizable: also if a thread stops for ever in the midst of an operation?")          \
  X(all, FLAG, 0, "all", NULL, false, CHECK, "report all findings (the default)")                                                          \
  X(stop_at_first, FLAG, 0, "stop-at-first", NULL, false, CHECK, "stop at the first finding")                                              \
  X(only, WORDS, 0, "only", "KINDS", NULL, CHECK, "the verdict is about findings of these kinds: assertion,deadlock")                      \
  X(ignore, WORDS, 0, "ignore", "KINDS", NULL, CHECK, "count findings of these kinds, and leave them out of the verdict")                  \
  X(most, NUMBER, 0, "most", "N", 20, CHECK, "show N findings, and count the others; 0: show all")                                         \
  X(spurious, FLAG, 0, "spurious", NULL, false, CHECK | EXEC, "condition variables may wake without a signal")                             \
  X(no_leaks, FLAG, 0, "no-leaks", NULL, false, CHECK | EXEC, "do not report memory that is not freed at exit")                            \
  X(exit_codes, FLAG, 0, "exit-codes", NULL, false, CHECK, "an exit code other than 0 is a finding")                                       \
  X(input, WORD, 0, "input", "FILE", NULL, CHECK | REPRODUCE | EXEC | RECORD, "standard input reads FILE")                                 \
  X(symbolic_stdin, WORDS, 0, "symbolic-stdin", "N", NULL, CHECK, "standard input has N bytes, any")                                       \
  X(symbolic_arguments, WORDS, 0, "symbolic-args", "N:M", NULL, CHECK, "N arguments more, of at most M characters, any; repeatable")       \
  X(symbolic_variables, WORDS, 0, "symbolic-env", "NAME:N", NULL, CHECK, "a variable of at most N characters, any; may be repeated")       \
  X(symbolic_files, WORDS, 0, "symbolic-file", "NAME:N", NULL, CHECK, "the program may open NAME, a file of N bytes, any; repeatable")     \
  X(environment, WORDS, 0, "env", "NAME=VALUE", NULL, CHECK | REPRODUCE | EXEC | RECORD,                                                   \
    "a variable of the program's environment; may be repeated")                                                                            \
  X(allowed, WORDS, 0, "allow", "NAME", NULL, CHECK | REPRODUCE | EXEC, "call the external function NAME natively; may be repeated")       \
  X(readable, WORDS, 0, "file", "FILE", NULL, CHECK | REPRODUCE | EXEC | RECORD, "the program may open FILE for reading; may be repeated") \
  X(loads, WORDS, 0, "loads", "FILE", NULL, CHECK | EXEC, "what the program may open with dlopen(): FILE, or NAME=FILE; repeatable")       \
  X(json, FLAG, 0, "json", NULL, false, CHECK | REPRODUCE | REPLAY | RUN | PREDICT, "report in JSON: --format=json")                       \
  X(format, WORD, 0, "format", "NAME", "text", CHECK | REPRODUCE | REPLAY | RUN | PREDICT, "format of the report: text or json")           \
  X(z3, FLAG, 0, "z3", NULL, false, REPRODUCE, "with --strategy=constraints: Z3 orders the steps, not Heddle's own solver")                \
  X(engine, WORD, 0, "engine", "NAME", "both", REPRODUCE, "what finds an order for constraints: formula, orders (few preemptions), both")  \
  X(smt, WORD, 0, "smt", "FILE", NULL, REPRODUCE, "write what constraints say of the run to FILE (SMT-LIB 2), and do nothing else")        \
  X(stats, FLAG, 0, "stats", NULL, false, CHECK | REPRODUCE, "print counts, one \"name value\" a line, instead of the report")             \
  X(outcomes, FLAG, 0, "outcomes", NULL, false, CHECK, "print the distinct results of all executions")                                     \
  X(witness, WORD, 0, "witness", "FILE", NULL, CHECK, "if a property of SV-COMP is violated, write a violation witness (YAML) to FILE")    \
  X(coverage, WORD, 0, "coverage", "FILE", NULL, CHECK, "write which lines were executed by any execution to FILE, in lcov's format")      \
  X(tests, WORD, 0, "tests", "FOLDER", NULL, CHECK, "write each input of symbolic data that was explored to FOLDER")                       \
  X(schedule, WORD, 'o', "schedule", "FILE", NULL, CHECK | REPRODUCE, "write the first finding's schedule to FILE")                        \
  X(schedule_dir, WORD, 0, "schedule-dir", "FOLDER", NULL, CHECK | REPRODUCE, "write schedules to FOLDER; default: the current folder")    \
  X(no_schedule, FLAG, 0, "no-schedule", NULL, false, CHECK | REPRODUCE, "write no schedule files")                                        \
  X(full, FLAG, 0, "full", NULL, false, CHECK | REPRODUCE | REPLAY, "show every step of an interleaving")                                  \
  X(stepwise, FLAG, 0, "step", NULL, false, REPLAY, "go through the execution by hand; commands are read from standard input")             \
  X(gdb, FLAG, 0, "gdb", NULL, false, REPLAY, "go through the execution in gdb, forwards and backwards; behind --: gdb's arguments")       \
  X(gdb_server, WORD, 0, "gdb-server", "ADDRESS", NULL, REPLAY,                                                                            \
    "the same for a gdb that connects to a port of this computer, or a socket")                                                            \
  X(trust, FLAG, 0, "trust", NULL, false, REPLAY, "do whatever the schedule asks for: all flags of the compiler, native calls")            \
  X(no_color, FLAG, 0, "no-color", NULL, false, CHECK | REPRODUCE | REPLAY,                                                                \
    "no colours on a terminal; as the environment variable NO_COLOR does")                                                                 \
  X(children, FLAG, 0, "children", NULL, false, RUN, "the program starts programs that were built to be watched, and need not be itself")  \
  X(preload, FLAG, 0, "preload", NULL, false, RUN, "the program loads libraries that were built to be watched, and need not be itself")    \
  X(analysis, WORD, 0, "analysis", "NAME", NULL, RUN,                                                                                      \
    "ovp (default): findings of this run and predicted ones; hb: of this run; wdc: see heddle-run(1)")                                     \
  X(unbounded, FLAG, 0, "unbounded", NULL, false, RUN, "with wdc and ovp: keep all critical sections, not the last 64 of each lock")       \
  X(exit_code, NUMBER, 0, "exit-code", "N", 0, RUN, "exit code of a program that ends well but had findings; default: its own")            \
  X(halt_on_error, FLAG, 0, "halt-on-error", NULL, false, RUN, "the first finding ends the program, with the exit code N or 66")           \
  X(confirm, COUNT, 0, "confirm", "N", 0, RUN, "run the program again, up to N times (20), to see whether what is predicted can happen")   \
  X(confirm_time, SECONDS, 0, "confirm-time", "SECONDS", 300, RUN, "--confirm: for so many seconds in all")                                \
  X(confirm_hold, NUMBER, 0, "confirm-hold-ms", "N", 500, RUN, "--confirm: hold a thread for at most N milliseconds")                      \
  X(atexit_sleep, NUMBER, 0, "atexit-sleep-ms", "N", 1000, RUN, "milliseconds that threads have that still run at the program's end")      \
  X(report_unwatched, FLAG, 0, "report-unwatched", NULL, false, RUN, "report findings inside of libraries that are not watched, too")      \
  X(thread_leaks, FLAG, 0, "thread-leaks", NULL, false, RUN, "report threads that were neither joined nor detached")                       \
  X(log, WORD, 0, "log", "FILE", NULL, RUN, "append findings to FILE instead of printing them to standard error")                          \
  X(specs, WORDS, 0, "spec", "FILE", NULL, CHECK | RUN, "FILE says which methods commute (heddle-spec(5)); may be repeated")               \
  X(test_spec, FLAG, 0, "test-spec", NULL, false, CHECK,                                                                                   \
    "look whether what --spec says is right: counterexamples, and what could be finer")                                                    \
  X(spec_operations, NUMBER, 0, "spec-operations", "N", 3, CHECK, "--test-spec: states behind up to N calls")                              \
  X(spec_values, NUMBER, 0, "spec-values", "N", 3, CHECK, "--test-spec: arguments from 0 to N - 1")                                        \
  X(suppressions, WORD, 0, "suppressions", "FILE", NULL, RUN | PREDICT, "do not report what FILE lists, in ThreadSanitizer's format")      \
  X(output, WORD, 'o', "output", "FILE", NULL, TRACE, "write the trace to FILE; default: PROGRAM.trace in the current folder")             \
  X(log_file, WORD, 'o', "output", "FILE", NULL, RECORD, "write the log to FILE; default: PROGRAM.paths in the current folder")            \
  X(until_failure, COUNT, 0, "until-failure", "N", 0, RECORD, "run the program until it fails, at most N times (1000)")                    \
  X(on_failure, FLAG, 0, "on-failure", NULL, false, RECORD, "keep no log of a run that ends well")                                         \
  X(paths, WORD, 0, "paths", "HOW", "bits", RECORD,                                                                                        \
    "what tells which way branches go: bits; all, with those that can be computed; numbers of paths")                                      \
  X(hang, SECONDS, 0, "hang", "SECONDS", 0, RECORD, "a run that takes so long hangs: it is stopped, and has failed")                       \
  X(simulated, FLAG, 0, "machine", NULL, false, RECORD,                                                                                    \
    "run the program in the machine, as often as it takes until it fails; what is below is for that")                                      \
  X(check, FLAG, 0, "check", NULL, false, SHOW, "say which rules of recorded runs a trace breaks")                                         \
  X(std, FLAG, 0, "std", NULL, false, SHOW, "a trace in RAPID's STD format, for other tools")                                              \
  X(ring, WORD, 0, "ring", "SIZE", NULL, TRACE, "keep the newest part of the trace, of SIZE bytes: 500K, 100M, 2G")                        \
  X(everything, FLAG, 0, "everything", NULL, false, TRACE, "keep also accesses to memory that one thread alone touches")                   \
  X(analyses, WORDS, 0, "analysis", "NAMES", NULL, PREDICT,                                                                                \
    "maximal, hb, wcp, sp, wdc, edc; several with commas; none; by default maximal and what hb adds")                                      \
  X(properties, WORDS, 0, "property", "FILE", NULL, CHECK | REPLAY | PREDICT | TRACE,                                                      \
    "what else is an error (heddle-property(5)); may be repeated")                                                                         \
  X(explain, WORD, 0, "explain", "PAIR", NULL, PREDICT, "say why two places, FILE:LINE,FILE:LINE, are no race")                            \
  X(window, NUMBER, 0, "window", "N", MAXIMAL_WINDOW, PREDICT, "maximal, properties: ask about N events at a time; default 10000")         \
  X(budget, NUMBER, 0, "budget", "N", MAXIMAL_BUDGET, PREDICT,                                                                             \
    "maximal, properties: give a question up after N conflicts, or their work; default 20000")                                             \
  X(confirm_predicted, FLAG, 0, "confirm", NULL, false, PREDICT, "carry out the witness of each finding, to see whether it happens")       \
  X(witness_dir, WORD, 0, "witness-dir", "FOLDER", NULL, PREDICT, "write witnesses to FOLDER; default: the current folder")                \
  X(no_witness, FLAG, 0, "no-witness", NULL, false, PREDICT, "write no witness files")                                                     \
  X(limit, SECONDS, 0, "limit", "SECONDS", 5, PREDICT | REPLAY, "give a witness up when nothing has happened for so long")                 \
  X(in_machine, FLAG, 0, "machine", NULL, false, REPLAY, "run a witness in the machine, and not natively if that cannot be")               \
  X(natively, FLAG, 0, "native", NULL, false, REPLAY, "run natively what a witness or a schedule says")                                    \
  X(steps, NUMBER, 0, "steps", "N", 12, PREDICT, "show the last N places of each witness; 0: all")                                         \
  X(help, FLAG, 'h', "help", NULL, false, CHECK | REPLAY | EXEC | SHOW | RUN | TRACE | PREDICT | RECORD | REPRODUCE, "print this text")

#define OPTION_TYPE_FLAG    bool
#define OPTION_TYPE_WORD    const char *
#define OPTION_TYPE_NUMBER  uint64_t
#define OPTION_TYPE_COUNT   uint64_t
#define OPTION_TYPE_SECONDS double
#define OPTION_TYPE_WORDS   struct words

struct options {
#define X(field, kind, letter, name, argument, initial, commands, help) OPTION_TYPE_##kind field;
  OPTION_LIST(X)
#undef X
  struct words programs;  /* what is not an option */
  struct words flags;     /* for the compiler: -I, -D, -O, -std=, -f, -W, -m, ... */
  struct words arguments; /* behind "--" */
};

/* Reads `argv` (without the command's own name) for the command. The words remain argv's. ERR_USAGE with a hint (the nearest option)
 * if it is wrong; `o` can and must be released in any case. */
[[nodiscard]] enum err options_parse(struct options *o, enum command_bit command, int argc, char **argv, struct diag *d);
void options_release(struct options *o);
/* Appends the command's options, a line or more each. */
void options_help(enum command_bit command, struct text *out);
/* Appends the names of the command's options, "--name" or "-x --name", one a line: what a manual page must describe. */
void options_names(enum command_bit command, struct text *out);

/* The candidate (NULL-terminated list) that is most like `word`, or NULL if none is. */
const char *nearest_word(const char *word, const char *const *candidates);
