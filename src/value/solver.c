#include "value/solver.h"

#include <assert.h>

#include "value/eliminate.h"
#include "value/engine.h"
#include "value/few.h"
#include "value/partition.h"
#include "value/recent.h"

#define DEFAULT_WORK          20000u
#define DEFAULT_CACHE_MEMBERS 2000000u

struct value_solver {
  struct value_pool *pool;
  struct value_options options;
  struct engine *engine;
  struct partition partition;
  struct cache cache;
  struct recent recent;
  struct elimination elimination;
  struct few few;
  struct value_counters counters;
  enum value_reason reason;
  struct value_model found;         /* the engine's model */
  const struct value_model *answer; /* of the last VALUE_YES: of the cache, or `found` */
  struct conjuncts core;
  struct conjuncts question, set; /* the question's conditions; with those of the path */
};

const char *value_reason_text(enum value_reason reason) {
  static const char *const texts[] = {
#define X(name, text) [VALUE_REASON_##name] = text,
      VALUE_REASON_LIST(X)
#undef X
  };
  return texts[reason];
}

struct value_solver *value_solver_new(struct value_pool *p, const struct value_options *options, struct diag *d) {
  struct engine *engine = options->engine == VALUE_Z3 ? engine_z3_new(p, d) : engine_bits_new(p);
  if (!engine) return NULL;
  struct value_solver *s = mem_alloc(sizeof *s);
  s->pool = p;
  s->options = *options;
  s->engine = engine;
  s->partition.pool = s->elimination.pool = s->few.pool = p;
  if (!s->options.cache_members) s->options.cache_members = DEFAULT_CACHE_MEMBERS;
  value_solver_set_work(s, options->work);
  return s;
}

void value_solver_free(struct value_solver *s) {
  if (!s) return;
  s->engine->free(s->engine);
  partition_release(&s->partition);
  cache_release(&s->cache);
  recent_release(&s->recent);
  eliminate_release(&s->elimination);
  few_release(&s->few);
  value_model_release(&s->found);
  conjuncts_release(&s->core);
  conjuncts_release(&s->question);
  conjuncts_release(&s->set);
  mem_free(s, sizeof *s);
}

void value_solver_set_work(struct value_solver *s, uint64_t work) { s->options.work = work ? work : DEFAULT_WORK; }
enum value_reason value_solver_reason(const struct value_solver *s) { return s->reason; }
const struct value_counters *value_solver_counters(const struct value_solver *s) { return &s->counters; }

/* Sets. */

static struct cache_key key_of(const struct conjuncts *c) { return (struct cache_key){c->ids.data, c->ids.count}; }

/* Members and links are what takes memory; models and expressions have no more of them than sets do. */
static void renew_cache(struct value_solver *s) {
  if (s->cache.members.count < s->options.cache_members) return;
  cache_clear(&s->cache);
  recent_clear(&s->recent);
  s->counters.cache_renewals++;
}

static enum value_answer yes_by(struct value_solver *s, struct cache_key key, uint32_t model, uint64_t *counter) {
  (*counter)++;
  cache_add(&s->cache, key, VALUE_YES, model, 0);
  recent_use(&s->recent, model);
  s->answer = &s->cache.values.data[model];
  return VALUE_YES;
}

/* The conditions without those that say what a symbol is. */
static enum value_answer ask_engine_the_rest(struct value_solver *s, struct cache_key key) {
  eliminate(&s->elimination, key.ids, key.count);
  s->counters.definitions += s->elimination.definitions.count;
  struct cache_key left = key_of(&s->elimination.left);
  enum value_answer answer = VALUE_YES;
  if (left.count) answer = s->engine->solve(s->engine, left.ids, left.count, s->options.work, &s->found, &s->core);
  if (answer == VALUE_YES) eliminate_complete(&s->elimination, &s->found);
  if (answer == VALUE_NO) eliminate_core(&s->elimination, &s->core);
  return answer;
}

static enum value_answer ask_engine(struct value_solver *s, struct cache_key key) {
  value_model_clear(&s->found);
  vec_clear(&s->core.ids);
  enum value_answer answer = ask_engine_the_rest(s, key);
  if (answer == VALUE_UNKNOWN) s->reason = s->engine->reason;
  if (answer == VALUE_YES && !recent_holds(&s->recent, s->pool, &s->found, key)) {
    answer = VALUE_UNKNOWN;
    s->reason = VALUE_REASON_MODEL;
  }
  s->answer = &s->found;
  *(answer == VALUE_YES ? &s->counters.engine_yes : answer == VALUE_NO ? &s->counters.engine_no : &s->counters.engine_unknown) += 1;
  return answer;
}

static bool try_all(struct value_solver *s, struct cache_key key, enum value_answer *answer) {
  struct symbol symbol;
  bits128 value;
  if (!few_decide(&s->few, key, answer, &symbol, &value)) return false;
  value_model_clear(&s->found);
  vec_clear(&s->core.ids);
  if (*answer == VALUE_YES) value_model_set(&s->found, symbol, value);
  s->answer = &s->found;
  *(*answer == VALUE_YES ? &s->counters.tried_yes : &s->counters.tried_no) += 1;
  return true;
}

static enum value_answer ask_and_keep(struct value_solver *s, struct cache_key key) {
  enum value_answer answer;
  if (!try_all(s, key, &answer)) answer = ask_engine(s, key);
  uint32_t model = CACHE_NONE;
  if (answer == VALUE_YES) {
    model = cache_add_model(&s->cache, &s->found);
    recent_use(&s->recent, model);
  }
  if (s->reason != VALUE_REASON_TIME) cache_add(&s->cache, key, answer, model, s->options.work);
  if (answer == VALUE_NO && s->core.ids.count && s->core.ids.count < key.count)
    cache_add(&s->cache, key_of(&s->core), VALUE_NO, CACHE_NONE, 0);
  return answer;
}

/* The answer that is kept, if there is one that holds. */
static bool known(struct value_solver *s, struct cache_key key, enum value_answer *answer) {
  const struct cache_set *same = cache_find(&s->cache, key);
  if (!same || (same->answer == VALUE_UNKNOWN && same->work < s->options.work)) return false;
  s->counters.same_set++;
  if (same->answer == VALUE_YES) s->answer = &s->cache.values.data[same->model];
  if (same->answer == VALUE_UNKNOWN) s->reason = VALUE_REASON_LIMIT;
  *answer = same->answer;
  return true;
}

/* What `model` says of the symbols of the set, kept. */
static uint32_t keep_part(struct value_solver *s, struct cache_key key, const struct value_model *model) {
  value_model_clear(&s->found);
  for (size_t i = 0; i < key.count; i++) {
    size_t count;
    const struct symbol *of = symbol_set_list(s->pool, expr_symbols(s->pool, (struct expr){key.ids[i]}), &count);
    for (size_t j = 0; j < count; j++) value_model_take(&s->found, of[j], model);
  }
  return cache_add_model(&s->cache, &s->found);
}

/* Can these hold together? `of_path`: the model of those of them that are the path's, or CACHE_NONE; `given`: the caller's, or NULL. */
static enum value_answer decide(struct value_solver *s, struct cache_key key, uint32_t of_path, const struct value_model *given) {
  enum value_answer answer;
  uint32_t model;
  s->counters.sets++;
  s->counters.path_conditions += s->partition.conditions.count;
  s->counters.group_conditions += key.count;
  if (s->options.no_cache) return ask_engine(s, key);
  if (known(s, key, &answer)) return answer;
  if (cache_has_impossible_part(&s->cache, key)) {
    s->counters.impossible_part++;
    cache_add(&s->cache, key, VALUE_NO, CACHE_NONE, 0);
    return VALUE_NO;
  }
  if ((model = cache_model_of_whole(&s->cache, key)) != CACHE_NONE) return yes_by(s, key, model, &s->counters.whole_model);
  if (given && recent_holds(&s->recent, s->pool, given, key)) return yes_by(s, key, keep_part(s, key, given), &s->counters.callers_model);
  if (of_path != CACHE_NONE && recent_holds_of(&s->recent, &s->cache, s->pool, of_path, key))
    return yes_by(s, key, of_path, &s->counters.path_model);
  model = recent_find(&s->recent, &s->cache, s->pool, key);
  if (model != CACHE_NONE) return yes_by(s, key, model, &s->counters.recent_model);
  return ask_and_keep(s, key);
}

/* The conditions of the path at `depth` and of all that share symbols with it, sorted; none if they were found in this search. */
static void collect_group(struct value_solver *s, size_t depth) {
  vec_clear(&s->set.ids);
  struct expr reduced = s->partition.conditions.data[depth].path->reduced;
  partition_collect(&s->partition, expr_symbols(s->pool, reduced), &s->set);
  conjuncts_sort(&s->set, s->pool);
}

/* All conditions of the path, added. */
static void collect_path(struct value_solver *s) {
  for (size_t i = 0; i < s->partition.conditions.count; i++) *vec_push(&s->set.ids) = s->partition.conditions.data[i].path->reduced.id;
}

static bool is_false(const struct value_solver *s, struct expr e) {
  bits128 value;
  return expr_is_constant(s->pool, e, &value) && !value;
}

/* Can the path be? Groups that no condition from depth `first` on is in are known. */
static enum value_answer decide_groups(struct value_solver *s, size_t first, const struct value_model *given) {
  enum value_answer answer = VALUE_YES;
  partition_search(&s->partition);
  for (size_t i = first; i < s->partition.conditions.count; i++) {
    if (is_false(s, s->partition.conditions.data[i].path->reduced)) return VALUE_NO;
    collect_group(s, i);
    if (s->set.ids.count == 0) continue;
    enum value_answer group = decide(s, key_of(&s->set), CACHE_NONE, given);
    if (group == VALUE_NO) return VALUE_NO;
    if (group == VALUE_UNKNOWN) answer = VALUE_UNKNOWN;
  }
  return answer;
}

static enum value_answer decide_whole(struct value_solver *s, const struct value_model *given) {
  vec_clear(&s->set.ids);
  collect_path(s);
  for (size_t i = 0; i < s->set.ids.count; i++)
    if (is_false(s, (struct expr){s->set.ids.data[i]})) return VALUE_NO;
  conjuncts_sort(&s->set, s->pool);
  return s->set.ids.count ? decide(s, key_of(&s->set), CACHE_NONE, given) : VALUE_YES;
}

/* Is the path possible? Kept in the path. `given`: a model that may satisfy it, or NULL. */
static enum value_answer possible(struct value_solver *s, struct path *path, const struct value_model *given) {
  partition_move(&s->partition, path);
  if (!path || path->known != PATH_UNASKED) return path_is_impossible(path) ? VALUE_NO : VALUE_YES;
  const struct path *last = path;
  while (last && last->known == PATH_UNASKED) last = last->before;
  if (path_is_impossible(last)) return path->known = PATH_IMPOSSIBLE, VALUE_NO;
  enum value_answer answer = s->options.no_groups ? decide_whole(s, given) : decide_groups(s, path_length(last), given);
  if (answer != VALUE_UNKNOWN) path->known = answer == VALUE_YES ? PATH_POSSIBLE : PATH_IMPOSSIBLE;
  return answer;
}

/* Questions. */

static bool has_id(const struct conjuncts *sorted, uint32_t id) { return ids_include(sorted->ids.data, sorted->ids.count, &id, 1); }

/* `set`, sorted, is the path's part. Answers if that alone says what becomes of the question. */
static bool in_path(struct value_solver *s, enum value_answer *answer) {
  bool all = true;
  for (size_t i = 0; i < s->question.ids.count; i++) {
    struct expr c = {s->question.ids.data[i]};
    if (has_id(&s->set, expr_not(s->pool, c).id)) return s->counters.in_path++, *answer = VALUE_NO, true;
    all = all && has_id(&s->set, c.id);
  }
  if (!all) return false;
  s->counters.in_path++;
  return *answer = VALUE_YES, true;
}

/* The symbols of what was decided get the answer's values. */
static void take_answer(const struct value_solver *s, const struct conjuncts *set, struct value_model *model) {
  for (size_t i = 0; i < set->ids.count; i++) {
    size_t count;
    const struct symbol *of = symbol_set_list(s->pool, expr_symbols(s->pool, (struct expr){set->ids.data[i]}), &count);
    for (size_t j = 0; j < count; j++) value_model_take(model, of[j], s->answer);
  }
}

/* The path is possible, or that is unknown. `condition` has the path's constants in it and is none itself. */
static enum value_answer ask(struct value_solver *s, struct expr condition, struct value_model *model) {
  enum value_answer answer;
  vec_clear(&s->question.ids);
  vec_clear(&s->set.ids);
  conjuncts_add(&s->question, s->pool, condition);
  partition_search(&s->partition);
  if (s->options.no_groups)
    collect_path(s);
  else
    partition_collect(&s->partition, expr_symbols(s->pool, condition), &s->set);
  conjuncts_sort(&s->set, s->pool);
  if (in_path(s, &answer)) return answer;
  const struct cache_set *of_path = s->set.ids.count ? cache_find(&s->cache, key_of(&s->set)) : NULL;
  uint32_t path_model = of_path && of_path->answer == VALUE_YES ? of_path->model : CACHE_NONE;
  for (size_t i = 0; i < s->question.ids.count; i++) *vec_push(&s->set.ids) = s->question.ids.data[i];
  conjuncts_sort(&s->set, s->pool);
  answer = decide(s, key_of(&s->set), path_model, NULL);
  if (answer == VALUE_YES && model) take_answer(s, &s->set, model);
  return answer;
}

static enum value_answer may(struct value_solver *s, struct path *path, struct expr condition, struct value_model *model) {
  bits128 value;
  renew_cache(s);
  s->counters.questions++;
  s->reason = VALUE_REASON_NONE;
  enum value_answer of_path = possible(s, path, model);
  if (of_path == VALUE_NO) return VALUE_NO;
  struct expr reduced = partition_reduce(&s->partition, condition);
  if (expr_is_constant(s->pool, reduced, &value)) {
    s->counters.simplified++;
    return value ? of_path : VALUE_NO;
  }
  enum value_answer answer = ask(s, reduced, of_path == VALUE_YES ? model : NULL);
  return answer == VALUE_YES ? of_path : answer;
}

enum value_answer value_may(struct value_solver *s, struct path *path, struct expr condition, struct value_model *model) {
  assert(expr_width(s->pool, condition) == 1);
  return may(s, path, condition, model);
}

enum value_answer value_must(struct value_solver *s, struct path *path, struct expr condition) {
  enum value_answer otherwise = value_may(s, path, expr_not(s->pool, condition), NULL);
  return otherwise == VALUE_UNKNOWN ? VALUE_UNKNOWN : otherwise == VALUE_YES ? VALUE_NO : VALUE_YES;
}

/* `set` holds under the model, or else its symbols get values under which it does. */
static enum value_answer satisfy(struct value_solver *s, struct value_model *model) {
  if (s->set.ids.count == 0 || recent_holds(&s->recent, s->pool, model, key_of(&s->set))) return VALUE_YES;
  enum value_answer answer = decide(s, key_of(&s->set), CACHE_NONE, NULL);
  if (answer == VALUE_YES) take_answer(s, &s->set, model);
  return answer;
}

enum value_answer value_model(struct value_solver *s, struct path *path, struct value_model *model) {
  renew_cache(s);
  s->counters.questions++;
  s->reason = VALUE_REASON_NONE;
  enum value_answer answer = possible(s, path, model);
  if (answer != VALUE_YES) return answer;
  if (s->options.no_groups) {
    vec_clear(&s->set.ids);
    collect_path(s);
    conjuncts_sort(&s->set, s->pool);
    return satisfy(s, model);
  }
  partition_search(&s->partition);
  for (size_t i = 0; answer == VALUE_YES && i < s->partition.conditions.count; i++) {
    collect_group(s, i);
    answer = satisfy(s, model);
  }
  return answer;
}
