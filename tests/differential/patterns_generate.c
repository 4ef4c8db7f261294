#include "patterns_generate.h"

#include "base/hash.h"

uint32_t pattern_pick(struct pattern_maker *m, uint32_t below) {
  m->seed += 0x9e3779b97f4a7c15u;
  return (uint32_t)((hash_mix(m->seed) >> 33) % below);
}

static void put_atom(struct pattern_maker *m, bool plain) {
  static const char *const threads[] = {"", "", "(t)", "(s)", "(t)"};
  text_printf(&m->text, "%c%s", 'a' + (char)pattern_pick(m, 3), plain ? "" : threads[pattern_pick(m, 5)]);
}

static void put_pattern(struct pattern_maker *m, unsigned depth) {
  static const char *const operators[] = {" ", " ", " ", " & ", " | "}, *const often[] = {"", "", "", "+", "*", "?"};
  uint32_t kind = depth ? pattern_pick(m, 12) : 0;
  if (kind < 4) {
    put_atom(m, false);
    if (depth) text_puts(&m->text, often[pattern_pick(m, 6)]);
  } else if (kind < 8) {
    put_pattern(m, depth - 1);
    text_puts(&m->text, operators[pattern_pick(m, 5)]);
    put_pattern(m, depth - 1);
  } else if (kind == 8) {
    put_atom(m, false), text_puts(&m->text, " || "), put_atom(m, false);
  } else if (kind == 9) {
    text_puts(&m->text, "!("), put_atom(m, true), text_putc(&m->text, ' '), put_atom(m, true), text_putc(&m->text, ')');
  } else if (kind == 10) {
    put_pattern(m, depth - 1);
    text_puts(&m->text, " !"), put_atom(m, pattern_pick(m, 2)), text_putc(&m->text, ' ');
    put_pattern(m, depth - 1);
  } else {
    text_printf(&m->text, "%c(t, <r%u) ", 'a' + (char)pattern_pick(m, 3), m->regions);
    unsigned region = m->regions++;
    put_pattern(m, depth - 1);
    text_printf(&m->text, " %c(t, >r%u)%s", 'a' + (char)pattern_pick(m, 3), region, pattern_pick(m, 2) ? "?" : "");
  }
}

/* A property that can be read; most that are made can. */
void pattern_make(struct pattern_maker *m, void (*put_source)(struct pattern_maker *m), struct properties *out) {
  do {
    struct diag d = {0};
    text_clear(&m->text);
    m->regions = 0;
    text_puts(&m->text, "property p(x, y, v) {\n");
    for (char name = 'a'; name < 'd'; name++) {
      text_printf(&m->text, "  event %c", name);
      put_source(m);
      if (pattern_pick(m, 4) == 0) text_puts(&m->text, " |"), put_source(m);
      text_putc(&m->text, '\n');
    }
    text_puts(&m->text, "  pattern ");
    put_pattern(m, 1 + pattern_pick(m, 3));
    text_puts(&m->text, "\n}\n");
    properties_release(out);
    enum err e = properties_read(out, text_str(&m->text), "F", &d);
    diag_release(&d);
    if (e) continue;
  } while (out->list.count == 0);
}
