/* What the files of prediction share: predict.c takes executions in windows, and asks about races, frees, deadlocks and reads; violations.c
 * about properties. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "order/order.h"
#include "predict/candidate.h"
#include "predict/moments.h"
#include "predict/predict.h"
#include "predict/window.h"
#include "predict/witness_run.h"
#include "strategy/mcr/trace.h"

struct predictor {
  bool reads;
  struct causal *causal; /* NULL until the first question */
  struct mcr_trace trace;
  struct schedule original; /* the execution's steps */
  struct candidates candidates;
  struct moments moments;
  struct pattern_memory *patterns;  /* what was found of properties, or asked for in vain */
  VEC(uint32_t) ordered;            /* of a question about a property: its events, */
  VEC(struct causal_pair) ordering; /* and their order, in the window's model */
  struct hashmap seen;              /* digests of executions that were asked about */
  struct hashmap asked;             /* what a question is about -> how often it was in vain; DONE */
  struct hashmap now;               /* the same -> how often it was asked about the present execution */
  VEC(struct causal_step) steps;    /* of a witness */
  struct schedule witness;
  uint64_t past[THREADS_MAX];          /* of each thread: hash of what it read so far */
  const struct predict_client *client; /* whose execution it is */
  struct window window;                /* the present one */
  uint32_t fixed;                      /* steps before it */
  uint32_t paid_to;                    /* what it may cost is what is left from here on */
  uint64_t shape;
  bool is_modelled; /* its model is built */
  bool cut;
  bool unsupported, over; /* a witness came to what the machine lacks; the exploration is to end */
  uint64_t allowed, spent;
  uint64_t limit, most;     /* of `spent`: for the present window; for the execution */
  uint64_t next_look;       /* the same: when to look whether the exploration is to end */
  struct order_stats stats; /* paid for */
  uint32_t most_events;     /* of a window */
  uint64_t block, made;     /* executions of a block; since the exploration began */
  struct predictor_counts counts;
};

/* Is there budget left for a question about the present window? */
bool predictor_can_afford(const struct predictor *p);
/* Is the exploration to end, or has a witness shown that it begins again? */
bool predictor_is_over(struct predictor *p);
/* The model of the present window: places in it are known from then on. */
struct causal *predictor_model(struct predictor *p);
/* Pays for the answer that the model has just given. */
enum causal_answer predictor_count_answer(struct predictor *p, enum causal_answer answer);
/* After "yes": makes the execution that the witness begins, and looks at what it shows. False if it left the witness. */
bool predictor_try_witness(struct predictor *p, enum witness_behind behind, bool to_the_end);
/* Has that execution ended with something else than what it was to show, that the model knows nothing of? It used what nobody wrote: to the
 * model that is a value like others, which another store may have written as well, and lets the thread go on. Or it violated a property on
 * the way. */
bool predictor_ended_before(const struct predictor *p);

/* violations.c: all that is to be asked about the present window and properties. */
void predictor_ask_properties(struct predictor *p);
