/* Pending inputs as bytes: the expressions, then the conditions of the paths, each with the one before it, then the pending ones, by the
 * numbers of their paths and conditions. Paths that have a beginning in common have it in common there, too. */
#include "machine/symbolic/pending.h"
#include "value/expr_wire.h"

struct pending_writer {
  struct expr_writer expressions;
  struct hashmap numbers; /* address of a path -> its number, from 1 on; that of the empty path is 0 */
  VEC(const struct path *) way;
  VEC(struct path *) given; /* held */
  struct text paths, list;
  uint64_t count;
};

static uint64_t path_number(const struct pending_writer *w, const struct path *path) {
  return path ? *hashmap_find(&w->numbers, (uintptr_t)path) : 0;
}

static uint64_t write_path(struct pending_writer *w, const struct path *path) {
  for (const struct path *at = path; at && !hashmap_find(&w->numbers, (uintptr_t)at); at = at->before) *vec_push(&w->way) = at;
  while (w->way.count) {
    const struct path *next = vec_pop(&w->way);
    wire_put_number(&w->paths, path_number(w, next->before));
    wire_put_number(&w->paths, expr_write(&w->expressions, next->condition));
    hashmap_at(&w->numbers, (uintptr_t)next, w->numbers.count + 1, NULL);
  }
  return path_number(w, path);
}

static void write_one(struct pending_writer *w, const struct pending *one) {
  uint64_t path = write_path(w, one->before);
  wire_put_number(&w->list, path);
  wire_put_number(&w->list, expr_write(&w->expressions, one->condition));
  WIRE_PUT(&w->list, one->way);
  wire_put_number(&w->list, one->tag);
  w->count++;
}

static void finish(struct pending_writer *w, struct text *out) {
  expr_writer_put(&w->expressions, out);
  wire_put_number(out, w->numbers.count);
  text_append(out, text_str(&w->paths), w->paths.count);
  wire_put_number(out, w->count);
  text_append(out, text_str(&w->list), w->list.count);
  expr_writer_release(&w->expressions);
  hashmap_release(&w->numbers);
  vec_release(&w->way);
  text_release(&w->paths);
  text_release(&w->list);
}

void pending_write(const struct pending_inputs *t, struct value_pool *p, bool present, struct text *out) {
  struct pending_writer w = {.expressions = {.pool = p}};
  if (present) write_one(&w, &(struct pending){.before = t->within, .condition = expr_constant(p, 1, 1), .tag = t->tag});
  for (size_t i = t->first; i < t->fresh.count; i++) write_one(&w, &t->fresh.data[i]);
  for (const struct pending_share *s = t->shares; s < t->shares + PENDING_SHARES; s++)
    for (size_t i = 0; i < s->all.count; i++) write_one(&w, &s->all.data[i]);
  for (size_t i = 0; i < t->hard.count; i++) write_one(&w, &t->hard.data[i]);
  finish(&w, out);
}

/* Every second one from `first` on goes, the first of them included. Returns how many are left. */
static size_t give_half(struct pending_writer *w, struct pending *all, size_t first, size_t count) {
  size_t left = first;
  for (size_t i = first; i < count; i++) {
    if ((i - first) % 2) {
      all[left++] = all[i];
      continue;
    }
    write_one(w, &all[i]);
    *vec_push(&w->given) = all[i].before;
  }
  return left;
}

void pending_give(struct pending_inputs *t, struct value_pool *p, struct text *out) {
  struct pending_writer w = {.expressions = {.pool = p}};
  t->fresh.count = give_half(&w, t->fresh.data, t->first, t->fresh.count);
  for (struct pending_share *s = t->shares; s < t->shares + PENDING_SHARES; s++) {
    size_t count = s->all.count;
    s->all.count = give_half(&w, s->all.data, 0, count);
    t->count -= count - s->all.count;
  }
  for (size_t i = 0; i < w.given.count; i++) path_release(w.given.data[i]); /* their addresses were needed until now */
  vec_release(&w.given);
  finish(&w, out);
}

/* --- reading --- */

struct pending_reader {
  struct expr_reader expressions;
  VEC(struct path *) paths; /* held; by number, the empty one first */
};

static struct path *read_path(const struct pending_reader *r, struct wire *from) {
  uint64_t number = wire_get_number(from);
  from->bad |= number >= r->paths.count;
  return from->bad ? NULL : r->paths.data[number];
}

static void read_paths(struct pending_reader *r, struct value_pool *p, struct wire *from) {
  uint64_t count = wire_get_number(from);
  *vec_push(&r->paths) = NULL;
  if (!wire_has(from, count, 2)) return;
  for (uint64_t i = 0; i < count; i++) {
    struct path *before = read_path(r, from);
    struct expr condition = expr_read(&r->expressions, from, 1);
    if (from->bad) return;
    *vec_push(&r->paths) = path_extend(p, before, condition);
  }
}

/* To `t`, or to nobody. */
static void read_list(const struct pending_reader *r, struct pending_inputs *t, struct wire *from) {
  uint64_t count = wire_get_number(from);
  for (uint64_t i = 0; i < count && !from->bad; i++) {
    struct pending one = {0};
    struct path *before = read_path(r, from);
    one.condition = expr_read(&r->expressions, from, 1);
    WIRE_GET(from, one.way);
    one.tag = wire_get_number(from);
    if (from->bad || !t) continue;
    one.before = path_keep(before);
    pending_add(t, one);
  }
}

static void reader_release(struct pending_reader *r) {
  for (size_t i = 0; i < r->paths.count; i++) path_release(r->paths.data[i]);
  vec_release(&r->paths);
  expr_reader_release(&r->expressions);
}

bool pending_read(struct pending_inputs *t, struct value_pool *p, struct wire *from) {
  struct pending_reader r = {.expressions = {.pool = p}};
  if (expr_reader_get(&r.expressions, from)) read_paths(&r, p, from);
  if (!from->bad) read_list(&r, t, from);
  reader_release(&r);
  return !from->bad;
}

/* --- the present input --- */

static struct expr symbol_expression(struct value_pool *p, struct symbol s) {
  return expr_symbol(p, symbol_name(p, s), symbol_width(p, s));
}

void pending_write_present(const struct pending_inputs *t, struct value_pool *p, const struct value_model *model, struct text *out) {
  struct pending_writer w = {.expressions = {.pool = p}};
  struct text values = {0};
  uint64_t count = 0, path = write_path(&w, t->within);
  write_one(&w, &(struct pending){.before = t->within, .condition = expr_constant(p, 1, 1), .tag = t->tag});
  for (size_t i = 0; i < model->values.count; i++) {
    const struct model_value *v = &model->values.data[i];
    if (symbol_width(p, v->symbol) == 0) continue; /* arrays are none of what a program is given */
    wire_put_number(&values, expr_write(&w.expressions, symbol_expression(p, v->symbol)));
    WIRE_PUT(&values, v->value);
    count++;
  }
  finish(&w, out);
  wire_put_number(out, path);
  wire_put_number(out, t->tag);
  wire_put_number(out, count);
  text_append(out, text_str(&values), values.count);
  text_release(&values);
}

bool pending_read_present(struct pending_inputs *t, struct value_pool *p, struct value_model *model, struct wire *from) {
  struct pending_reader r = {.expressions = {.pool = p}};
  if (expr_reader_get(&r.expressions, from)) read_paths(&r, p, from);
  if (!from->bad) read_list(&r, NULL, from);
  struct path *within = from->bad ? NULL : read_path(&r, from);
  uint64_t tag = wire_get_number(from), count = wire_get_number(from);
  value_model_clear(model);
  for (uint64_t i = 0; i < count && !from->bad; i++) {
    bits128 value;
    struct symbol s = expr_read_symbol(&r.expressions, from);
    WIRE_GET(from, value);
    from->bad |= !from->bad && symbol_width(p, s) == 0;
    if (!from->bad) value_model_set(model, s, bits_trim(value, symbol_width(p, s)));
  }
  path_release(t->within);
  t->within = from->bad ? NULL : path_keep(within);
  t->tag = tag;
  reader_release(&r);
  return !from->bad;
}
