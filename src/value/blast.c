#include "value/blast.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "value/real_words.h"
#include "value/words.h"

void blast_init(struct blast *b, const struct value_pool *p) {
  *b = (struct blast){.pool = p};
  gates_init(&b->gates);
}

void blast_release(struct blast *b) {
  gates_release(&b->gates);
  vec_release(&b->starts);
  vec_release(&b->words);
  vec_release(&b->reads);
  hashmap_release(&b->read_of);
  hashmap_release(&b->consistent);
  vec_release(&b->symbol_starts);
  vec_release(&b->stack);
}

static uint32_t start_of(const struct blast *b, uint32_t id) { return id < b->starts.count ? b->starts.data[id] : 0; }

static void set_start(struct blast *b, uint32_t id, size_t start) {
  while (b->starts.count <= id) *vec_push(&b->starts) = 0;
  b->starts.data[id] = (uint32_t)start + 1;
}

/* The word of `id`, which has one; holds until the next is made. */
static const struct lit *word_of(const struct blast *b, uint32_t id) { return b->words.data + start_of(b, id) - 1; }

static size_t keep_word(struct blast *b, unsigned width, const struct lit *word) {
  size_t start = b->words.count;
  memcpy(vec_push_n(&b->words, width), word, width * sizeof *word);
  return start;
}

/* Arrays. */

static void inputs(struct blast *b, uint32_t whose, unsigned width, struct lit *out) {
  for (unsigned i = 0; i < width; i++) out[i] = gate_input(&b->gates, whose, i);
}

static void read_symbol(struct blast *b, uint32_t array, uint32_t index, struct lit *out) {
  bool is_new;
  uint32_t read = (uint32_t)*hashmap_at(&b->read_of, (uint64_t)array << 32 | index, b->reads.count, &is_new);
  inputs(b, input_of_read(read), 8, out);
  if (!is_new) return;
  bool constant = node_at(b->pool, index)->op == EXPR_CONSTANT;
  *vec_push(&b->reads) = (struct blast_read){array, start_of(b, index) - 1, (uint32_t)keep_word(b, 8, out), constant};
}

struct lit blast_consistent(struct blast *b, uint32_t read, uint32_t other) {
  if (read > other) {
    uint32_t swap = read;
    read = other, other = swap;
  }
  bool is_new;
  uint64_t *known = hashmap_at(&b->consistent, (uint64_t)read << 32 | other, 0, &is_new);
  if (!is_new) return (struct lit){(uint32_t)*known};
  const struct blast_read *x = &b->reads.data[read], *y = &b->reads.data[other];
  const struct lit *w = b->words.data;
  struct lit same_index = word_equal(&b->gates, ARRAY_INDEX_WIDTH, w + x->index, w + y->index);
  struct lit same_byte = word_equal(&b->gates, 8, w + x->byte, w + y->byte);
  struct lit is = gate_or(&b->gates, lit_not(same_index), same_byte);
  *known = is.code;
  return is;
}

/* A store at a constant index. */
struct cell {
  uint64_t index;
  uint32_t byte; /* id */
  uint32_t when; /* the later ones hide those at the same index */
};

static int by_index(const void *a, const void *b) {
  const struct cell *x = a, *y = b;
  if (x->index != y->index) return x->index < y->index ? -1 : 1;
  return (x->when > y->when) - (x->when < y->when);
}

static unsigned highest_bit(uint64_t x) { return 63 - (unsigned)__builtin_clzll(x); }

/* The bytes of `count` cells, which differ, chosen by the lowest `bits` bits of the index; `otherwise` elsewhere. Recurses at most as deep
 * as an index has bits. */
static void choose(struct blast *b, const struct cell *cells, size_t count, unsigned bits, uint32_t index, const struct lit *otherwise,
                   struct lit *out) {
  uint64_t differ = cells[0].index ^ cells[count - 1].index;
  unsigned common = differ ? highest_bit(differ) + 1 : 0; /* bits from here up are the same in all cells */
  struct lit here = LIT_TRUE, low[8], high[8];
  for (unsigned i = common; i < bits; i++) {
    struct lit bit = word_of(b, index)[i];
    here = gate_and(&b->gates, here, cells[0].index >> i & 1 ? bit : lit_not(bit));
  }
  if (!differ) {
    memcpy(low, word_of(b, cells[0].byte), sizeof low);
  } else if (lit_equal(here, LIT_FALSE)) {
    memcpy(low, otherwise, sizeof low);
  } else {
    size_t split = 0;
    while (!(cells[split].index >> (common - 1) & 1)) split++;
    choose(b, cells, split, common - 1, index, otherwise, low);
    choose(b, cells + split, count - split, common - 1, index, otherwise, high);
    word_ite(&b->gates, 8, word_of(b, index)[common - 1], high, low, low);
  }
  word_ite(&b->gates, 8, here, low, otherwise, out);
}

struct cells {
  VEC(struct cell) list;
};

/* What the gathered cells do to `byte`, the byte below them. */
static void through_cells(struct blast *b, struct cells *cells, uint32_t index, struct lit *byte) {
  size_t count = 0;
  struct lit below[8];
  if (cells->list.count == 0) return;
  qsort(cells->list.data, cells->list.count, sizeof *cells->list.data, by_index);
  for (size_t i = 0; i < cells->list.count; i++) {
    count -= count && cells->list.data[count - 1].index == cells->list.data[i].index;
    cells->list.data[count++] = cells->list.data[i];
  }
  memcpy(below, byte, sizeof below);
  choose(b, cells->list.data, count, ARRAY_INDEX_WIDTH, index, below, byte);
  vec_clear(&cells->list);
}

static void select_byte(struct blast *b, uint32_t array, uint32_t index, struct lit *byte) {
  VEC(uint32_t) stores = {0};
  struct cells cells = {0};
  const struct node *n = node_at(b->pool, array);
  for (; n->op == EXPR_STORE; n = node_at(b->pool, n->args[0])) *vec_push(&stores) = (uint32_t)(n - b->pool->nodes.data);
  if (n->op == EXPR_ARRAY_CONSTANT)
    memcpy(byte, word_of(b, n->args[0]), 8 * sizeof *byte);
  else
    read_symbol(b, n->args[0], index, byte);
  for (size_t i = stores.count; i-- > 0;) {
    n = node_at(b->pool, stores.data[i]);
    const struct node *at = node_at(b->pool, n->args[1]);
    if (at->op == EXPR_CONSTANT) {
      *vec_push(&cells.list) = (struct cell){(uint64_t)node_value(at), n->args[2], (uint32_t)cells.list.count};
      continue;
    }
    through_cells(b, &cells, index, byte);
    struct lit here = word_equal(&b->gates, ARRAY_INDEX_WIDTH, word_of(b, index), word_of(b, n->args[1]));
    word_ite(&b->gates, 8, here, word_of(b, n->args[2]), byte, byte);
  }
  through_cells(b, &cells, index, byte);
  vec_release(&cells.list);
  vec_release(&stores);
}

/* The rest. */

static void symbol_word(struct blast *b, uint32_t symbol, unsigned width, struct lit *out) {
  inputs(b, input_of_symbol(symbol), width, out);
  while (b->symbol_starts.count <= symbol) *vec_push(&b->symbol_starts) = 0;
  b->symbol_starts.data[symbol] = (uint32_t)b->words.count + 1; /* where it is put next */
}

/* Over `of` bits. */
static void real_word(struct gates *g, const struct node *n, unsigned of, const struct lit *x, const struct lit *y, struct lit *out) {
  struct real_format f = real_format(of);
  switch ((int)n->op) {
    case EXPR_REAL_ADD:
      real_word_add(g, f, x, y, out);
      return;
    case EXPR_REAL_MUL:
      real_word_multiply(g, f, x, y, out);
      return;
    case EXPR_REAL_DIV:
      real_word_divide(g, f, x, y, out);
      return;
    case EXPR_REAL_SQRT:
      real_word_root(g, f, x, out);
      return;
    case EXPR_REAL_ROUND:
      real_word_round(g, f, (enum real_mode)n->args[1], x, out);
      return;
    case EXPR_REAL_CONVERT:
      real_word_convert(g, f, real_format(n->width), x, out);
      return;
    case EXPR_REAL_TO_SIGNED:
      real_word_to_signed(g, f, x, n->width, out);
      return;
  }
  real_word_from_integer(g, real_format(n->width), n->op == EXPR_REAL_FROM_SIGNED, of, x, out);
}

static void word(struct blast *b, const struct node *n, struct lit *out) {
  unsigned w = n->width;
  const uint32_t *a = n->args;
  const struct lit *x = node_operands((enum expr_op)n->op) ? word_of(b, a[0]) : NULL;
  unsigned of = x ? node_at(b->pool, a[0])->width : 0;
  switch ((int)n->op) {
    case EXPR_CONSTANT:
      for (unsigned i = 0; i < w; i++) out[i] = lit_of(node_value(n) >> i & 1);
      return;
    case EXPR_SYMBOL:
      symbol_word(b, a[0], w, out);
      return;
    case EXPR_NOT:
      for (unsigned i = 0; i < w; i++) out[i] = lit_not(x[i]);
      return;
    case EXPR_NEG:
      word_neg(&b->gates, w, x, out);
      return;
    case EXPR_CONCAT:
      memcpy(out, word_of(b, a[1]), (w - of) * sizeof *out);
      memcpy(out + (w - of), x, of * sizeof *out);
      return;
    case EXPR_EXTRACT:
      memcpy(out, x + a[1], w * sizeof *out);
      return;
    case EXPR_ZEXT:
    case EXPR_SEXT:
      for (unsigned i = 0; i < w; i++) out[i] = i < of ? x[i] : n->op == EXPR_SEXT ? x[of - 1] : LIT_FALSE;
      return;
    case EXPR_ITE:
      word_ite(&b->gates, w, x[0], word_of(b, a[1]), word_of(b, a[2]), out);
      return;
    case EXPR_SELECT:
      select_byte(b, a[0], a[1], out);
      return;
  }
  if (expr_is_real((enum expr_op)n->op))
    real_word(&b->gates, n, of, x, word_of(b, a[node_operands((enum expr_op)n->op) - 1]), out);
  else
    word_binary(&b->gates, (enum expr_op)n->op, of, x, word_of(b, a[1]), out);
}

static void make(struct blast *b, uint32_t id) {
  struct lit out[EXPR_MAX_WIDTH];
  const struct node *n = node_at(b->pool, id);
  if (n->width) word(b, n, out);
  set_start(b, id, keep_word(b, n->width, out));
}

bool blast_condition(struct blast *b, struct expr e, size_t most, struct lit *is) {
  vec_clear(&b->stack);
  *vec_push(&b->stack) = e.id;
  while (b->stack.count) {
    uint32_t id = vec_last(&b->stack);
    const struct node *n = node_at(b->pool, id);
    size_t waiting = b->stack.count;
    if (!start_of(b, id))
      for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++)
        if (!start_of(b, n->args[i])) *vec_push(&b->stack) = n->args[i];
    if (b->stack.count != waiting) continue;
    (void)vec_pop(&b->stack);
    if (start_of(b, id)) continue;
    if (b->gates.list.count > most) return false;
    make(b, id);
  }
  *is = word_of(b, e.id)[0];
  return true;
}
