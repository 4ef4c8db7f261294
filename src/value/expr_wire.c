#include "value/expr_wire.h"

#include "value/internal.h"
#include "value/real_bits.h"

/* An extract's lowest bit; how a number is rounded. */
static bool has_detail(enum expr_op op) { return op == EXPR_EXTRACT || op == EXPR_REAL_ROUND; }

/* --- writing --- */

static void put_constant(struct text *out, const struct node *n) {
  bits128 value = node_value(n);
  for (unsigned i = 0; i < n->width; i += 8) text_putc(out, (char)(value >> i));
}

static void put_symbol(struct text *out, const struct value_pool *p, struct symbol s) {
  struct symbol_name name = symbol_name(p, s);
  size_t length = strlen(name.thread);
  wire_put_number(out, length);
  text_append(out, name.thread, length);
  wire_put_number(out, name.place);
  wire_put_number(out, name.count);
}

/* Its operands are written. */
static void put_node(struct expr_writer *w, uint32_t id) {
  const struct node *n = node_at(w->pool, id);
  uint64_t number = w->numbers.count;
  text_putc(&w->bytes, (char)n->op);
  text_putc(&w->bytes, (char)n->width);
  if (n->op == EXPR_CONSTANT) put_constant(&w->bytes, n);
  if (n->op == EXPR_SYMBOL || n->op == EXPR_ARRAY_SYMBOL) put_symbol(&w->bytes, w->pool, (struct symbol){n->args[0]});
  for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++)
    wire_put_number(&w->bytes, number - *hashmap_find(&w->numbers, n->args[i]));
  if (has_detail((enum expr_op)n->op)) text_putc(&w->bytes, (char)n->args[1]);
  hashmap_at(&w->numbers, id, number, NULL);
}

static uint64_t write_id(struct expr_writer *w, uint32_t id) {
  *vec_push(&w->stack) = id;
  while (w->stack.count) {
    uint32_t top = vec_last(&w->stack);
    const struct node *n = node_at(w->pool, top);
    size_t before = w->stack.count;
    if (hashmap_find(&w->numbers, top)) {
      w->stack.count--;
      continue;
    }
    for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++)
      if (!hashmap_find(&w->numbers, n->args[i])) *vec_push(&w->stack) = n->args[i];
    if (w->stack.count > before) continue;
    put_node(w, top);
    w->stack.count--;
  }
  return *hashmap_find(&w->numbers, id);
}

uint64_t expr_write(struct expr_writer *w, struct expr e) { return write_id(w, e.id); }
uint64_t expr_write_array(struct expr_writer *w, struct expr_array a) { return write_id(w, a.id); }

void expr_writer_put(const struct expr_writer *w, struct text *out) {
  wire_put_number(out, w->numbers.count);
  text_append(out, text_str(&w->bytes), w->bytes.count);
}

void expr_writer_release(struct expr_writer *w) {
  text_release(&w->bytes);
  hashmap_release(&w->numbers);
  vec_release(&w->stack);
}

/* --- reading --- */

static bool is_real_width(unsigned width) { return width == 32 || width == 64; }

/* Could a pool have made an operator of this width of operands of these? Arrays have width 0. */
static bool fits(enum expr_op op, unsigned width, const unsigned of[3], unsigned detail) {
  switch (op) {
    case EXPR_CONSTANT:
    case EXPR_SYMBOL:
      return width;
    case EXPR_ARRAY_SYMBOL:
      return !width;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
      return width && of[0] == width && of[1] == width;
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE:
      return width == 1 && of[0] && of[0] == of[1];
    case EXPR_NOT:
    case EXPR_NEG:
      return width && of[0] == width;
    case EXPR_CONCAT:
      return of[0] && of[1] && of[0] + of[1] == width;
    case EXPR_EXTRACT:
      return width && detail + width <= of[0];
    case EXPR_ZEXT:
    case EXPR_SEXT:
      return of[0] && of[0] <= width;
    case EXPR_ITE:
      return width && of[0] == 1 && of[1] == width && of[2] == width;
    case EXPR_SELECT:
      return width == 8 && !of[0] && of[1] == ARRAY_INDEX_WIDTH;
    case EXPR_ARRAY_CONSTANT:
      return !width && of[0] == 8;
    case EXPR_STORE:
      return !width && !of[0] && of[1] == ARRAY_INDEX_WIDTH && of[2] == 8;
    case EXPR_REAL_ADD:
    case EXPR_REAL_MUL:
    case EXPR_REAL_DIV:
      return is_real_width(width) && of[0] == width && of[1] == width;
    case EXPR_REAL_SQRT:
      return is_real_width(width) && of[0] == width;
    case EXPR_REAL_ROUND:
      return is_real_width(width) && of[0] == width && detail <= REAL_ZERO;
    case EXPR_REAL_CONVERT:
      return is_real_width(width) && is_real_width(of[0]);
    case EXPR_REAL_TO_SIGNED:
      return width == 64 && is_real_width(of[0]);
    case EXPR_REAL_FROM_SIGNED:
    case EXPR_REAL_FROM_UNSIGNED:
      return is_real_width(width) && of[0] && of[0] <= 64;
  }
  return false;
}

static uint8_t get_byte(struct wire *from) {
  uint8_t byte;
  wire_get(from, &byte, 1);
  return byte;
}

static uint32_t get_symbol(struct value_pool *p, unsigned width, struct wire *from) {
  struct text thread = {0};
  uint64_t length = wire_get_number(from);
  if (wire_has(from, length, 1)) text_append(&thread, from->at, length), from->at += length;
  struct symbol_name name = {.thread = text_str(&thread)};
  name.place = wire_get_number(from);
  name.count = wire_get_number(from);
  uint32_t id = from->bad ? 0 : width ? expr_symbol(p, name, width).id : expr_array_symbol(p, name).id;
  text_release(&thread);
  return id;
}

static uint32_t get_constant(struct value_pool *p, unsigned width, struct wire *from) {
  bits128 value = 0;
  for (unsigned i = 0; i < width; i += 8) value |= (bits128)get_byte(from) << i;
  return expr_constant(p, width, value).id;
}

static void get_node(struct expr_reader *r, struct wire *from) {
  uint8_t op = get_byte(from), width = get_byte(from), detail = 0;
  uint32_t args[4] = {0}, id;
  unsigned widths[3] = {0};
  from->bad |= op > EXPR_REAL_FROM_UNSIGNED || width > EXPR_MAX_WIDTH;
  if (from->bad) return;
  unsigned operands = node_operands((enum expr_op)op);
  for (unsigned i = 0; i < operands; i++) {
    uint64_t back = wire_get_number(from);
    from->bad |= back == 0 || back > r->ids.count;
    if (from->bad) return;
    args[i] = r->ids.data[r->ids.count - back];
    widths[i] = node_at(r->pool, args[i])->width;
  }
  if (has_detail((enum expr_op)op)) args[1] = detail = get_byte(from);
  from->bad |= !fits((enum expr_op)op, width, widths, detail);
  if (from->bad) return;
  if (operands)
    id = node_make(r->pool, (enum expr_op)op, width, args);
  else
    id = op == EXPR_CONSTANT ? get_constant(r->pool, width, from) : get_symbol(r->pool, width, from);
  *vec_push(&r->ids) = id;
}

bool expr_reader_get(struct expr_reader *r, struct wire *from) {
  uint64_t count = wire_get_number(from);
  if (!wire_has(from, count, 2)) return false;
  for (uint64_t i = 0; i < count && !from->bad; i++) get_node(r, from);
  return !from->bad;
}

static uint32_t get_id(const struct expr_reader *r, struct wire *from) {
  uint64_t number = wire_get_number(from);
  from->bad |= number >= r->ids.count;
  return from->bad ? 0 : r->ids.data[number];
}

struct expr expr_read(const struct expr_reader *r, struct wire *from, unsigned width) {
  uint32_t id = get_id(r, from);
  from->bad |= !from->bad && node_at(r->pool, id)->width != width;
  return (struct expr){from->bad ? 0 : id};
}

struct symbol expr_read_symbol(const struct expr_reader *r, struct wire *from) {
  uint32_t id = get_id(r, from);
  enum expr_op op = from->bad ? EXPR_SYMBOL : (enum expr_op)node_at(r->pool, id)->op;
  from->bad |= op != EXPR_SYMBOL && op != EXPR_ARRAY_SYMBOL;
  return (struct symbol){from->bad ? 0 : node_at(r->pool, id)->args[0]};
}

void expr_reader_release(struct expr_reader *r) { vec_release(&r->ids); }
