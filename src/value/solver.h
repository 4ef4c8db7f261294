/* Questions about paths: can this be, must it be, for which values?
 *
 * 1. There are three answers. VALUE_YES and VALUE_NO are true of all values of the symbols; VALUE_UNKNOWN has a reason. Each YES of an
 *    engine has a model that was evaluated; a model that does not hold makes it VALUE_UNKNOWN, never a wrong YES.
 * 2. Work is limited for each question in units that do not depend on time: the same questions in the same order have the same answers
 *    and models on each machine, until the process's deadline has passed (base/deadline.h): that ends the question at hand. What was asked
 * before may turn VALUE_UNKNOWN into an answer or back, and never YES into NO.
 * 3. A path need not be possible: the solver finds out once for each path, and what follows from an impossible one is said below.
 * 4. What is tried before an engine is asked, the cheapest first: simplification, also with the constants that the path says symbols
 *    are; conditions that are in the path, or whose inverse is; then, of the conditions that share symbols with the question, directly or
 *    through others: the answer for that very set; sets that cannot hold and are a part of it; sets that it is a part of and that have a
 *    model; the model that the caller gave for the path; the model of the path's part; models that were found lately; all values of a
 * symbol of at most 8 bits, if there is no other. An engine does not see symbols that a condition defines. (KLEE has most of these: Cadar,
 * Dunbar, Engler, OSDI 2008, section 3.3.)
 *
 * A solver belongs to one pool, in which it makes expressions, and goes before it. It holds a reference to the path that was asked about
 * last. One thread at a time. Memory: caches begin anew at `cache_members`; circuits of the engine likewise at 4 million gates (some
 * 200 MB); evaluation keeps 20 bytes for each expression of the pool. */
#pragma once
#include "value/eval.h"
#include "value/path.h"

struct diag;

enum value_answer { VALUE_NO, VALUE_YES, VALUE_UNKNOWN };

/* X(name, text) */
#define VALUE_REASON_LIST(X)                         \
  X(NONE, "it is known")                             \
  X(LIMIT, "the solver's limit of work was reached") \
  X(TIME, "there was no more time")                  \
  X(MODEL, "the solver's values do not satisfy what it was asked")
enum value_reason {
#define X(name, text) VALUE_REASON_##name,
  VALUE_REASON_LIST(X)
#undef X
};
const char *value_reason_text(enum value_reason reason);

/* VALUE_BITS: circuits into CaDiCaL, incrementally. VALUE_Z3: libz3's theories, opened at run time. */
enum value_engine { VALUE_BITS, VALUE_Z3 };

/* Zeroed: the defaults. */
struct value_options {
  enum value_engine engine;
  uint64_t work; /* the most for a question; 0: 20,000. A conflict, or 1,000 gates made (4 million at most), of VALUE_BITS; 10,000 of Z3's
                    rlimit */
  size_t cache_members; /* conditions of all sets in the caches, some 60 bytes each with indices and models; 0: 2 million */
  bool no_cache;        /* each question goes to the engine that simplification does not answer */
  bool no_groups;       /* with all of the path's conditions, whatever symbols they have */
};

/* X(name, what it counts) */
#define VALUE_COUNTER_LIST(X)                                                                \
  X(questions, "questions of callers")                                                       \
  X(simplified, "answered by simplification")                                                \
  X(in_path, "answered because the path has the condition or its inverse")                   \
  X(sets, "sets of conditions to be decided; the next eleven add up to it")                  \
  X(same_set, "answered by the same set's answer")                                           \
  X(impossible_part, "a part was known to be impossible")                                    \
  X(whole_model, "a set that includes it had a model")                                       \
  X(callers_model, "the model that the caller gave holds")                                   \
  X(path_model, "the model of the path's part holds")                                        \
  X(recent_model, "a model that was found lately holds")                                     \
  X(tried_yes, "of the values of its only symbol, one will do")                              \
  X(tried_no, "of the values of its only symbol, none will do")                              \
  X(engine_yes, "the engine found a model")                                                  \
  X(engine_no, "the engine found that it is impossible")                                     \
  X(engine_unknown, "the engine gave up")                                                    \
  X(definitions, "conditions of engine's sets that say what a symbol is, and were left out") \
  X(path_conditions, "conditions of the paths of those sets")                                \
  X(group_conditions, "conditions of those sets")                                            \
  X(cache_renewals, "times that the caches were full and began anew")
struct value_counters {
#define X(name, text) uint64_t name;
  VALUE_COUNTER_LIST(X)
#undef X
};

struct value_solver;

/* NULL: libz3 was asked for and cannot be opened, or lacks a function; `d` says which. The options are copied. */
[[nodiscard]] struct value_solver *value_solver_new(struct value_pool *p, const struct value_options *options, struct diag *d);
void value_solver_free(struct value_solver *s);
/* For questions from now on; as in the options. */
void value_solver_set_work(struct value_solver *s, uint64_t work);

/* Is there a model of the path's condition and of `condition` (one bit) together? Of an impossible path: VALUE_NO.
 * `model` may be NULL; else, if the answer is VALUE_YES, it is changed where the question needs it: if it satisfied the path before, it
 * satisfies the path and the condition now, and symbols that have nothing to do with the condition keep their values. A model that
 * satisfies the path also shows at once that the path is possible. */
enum value_answer value_may(struct value_solver *s, struct path *path, struct expr condition, struct value_model *model);
/* Do all models of the path's condition satisfy `condition`? Of an impossible path: VALUE_YES. */
enum value_answer value_must(struct value_solver *s, struct path *path, struct expr condition);
/* Is the path possible? VALUE_YES: `model` satisfies it; symbols of groups of conditions that it satisfied before keep their values.
 * VALUE_UNKNOWN: some of them may have others. */
enum value_answer value_model(struct value_solver *s, struct path *path, struct value_model *model);

/* Why the last question's answer was VALUE_UNKNOWN. */
enum value_reason value_solver_reason(const struct value_solver *s);
const struct value_counters *value_solver_counters(const struct value_solver *s);
