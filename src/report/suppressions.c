#include "report/suppressions.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/suppress.h"
#include "report/predicted.h"
#include "trace/recorded.h"

static enum err read_line(struct suppressions *s, const char *at, const char *end, uint32_t line, struct diag *d) {
  struct suppress_parts p;
  enum suppress_line what = suppress_parse(at, end, &p);
  if (what == SUPPRESS_NOTHING) return ERR_NONE;
  if (what == SUPPRESS_NO_RULE)
    return diag_set(d, ERR_FORMAT, "%s:%" PRIu32 ": a suppression is TYPE:PATTERN, not \"%.*s\"", s->file, line, (int)p.type_length,
                    p.type);
  if (what == SUPPRESS_NO_TYPE)
    return diag_set(d, ERR_FORMAT, "%s:%" PRIu32 ": there is no type of suppressions \"%.*s\": " SUPPRESS_TYPES " are", s->file, line,
                    (int)p.type_length, p.type);
  struct suppression_rule *rule = vec_push(&s->rules);
  *rule = (struct suppression_rule){.line = line};
  text_append(&rule->type, p.type, p.type_length);
  text_append(&rule->pattern, p.pattern, p.pattern_length);
  return ERR_NONE;
}

enum err suppressions_read(struct suppressions *s, const char *file, struct diag *d) {
  struct text text = {0};
  s->file = file;
  enum err e = file_read(file, FILE_TEXT, &text, d);
  uint32_t line = 1;
  const char *at = text_str(&text);
  for (const char *end; !e && *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, "\n");
    e = read_line(s, at, end, line++, d);
  }
  text_release(&text);
  return e;
}

/* What is neither a deadlock nor about a lock is about accesses. */
static bool is_type(const struct suppression_rule *rule, const struct predicted *f) {
  static const char deadlock[] = "deadlock";
  bool is_deadlock = f->kind_length == sizeof deadlock - 1 && memcmp(f->kind, deadlock, sizeof deadlock - 1) == 0;
  const char *type = text_str(&rule->type);
  return is_deadlock ? strcmp(type, deadlock) == 0 : strcmp(type, "race") == 0 || strcmp(type, "race_top") == 0;
}

static bool matches(const struct suppression_rule *rule, const struct predicted *f, const struct predicted_event *events,
                    const struct recorded_names *names) {
  if (!is_type(rule, f)) return false;
  for (uint32_t i = 0; i < f->events; i++) {
    uint32_t site = events[f->event + i].site;
    if (site == 0 || site >= names->sites.count) continue;
    const struct recorded_site *s = &names->sites.data[site];
    if (suppress_matches(text_str(&rule->pattern), recorded_text(names, s->function))) return true;
    if (suppress_matches(text_str(&rule->pattern), recorded_text(names, s->file))) return true;
  }
  return false;
}

static bool is_suppressed(struct suppressions *s, const struct predicted *f, const struct predicted_event *events,
                          const struct recorded_names *names) {
  for (size_t i = 0; i < s->rules.count; i++)
    if (matches(&s->rules.data[i], f, events, names)) return s->rules.data[i].count++, true;
  return false;
}

/* Functions are compared by their names, as places have them. */
static bool is_unwatched(const struct predicted *f, const struct predicted_event *events, const struct recorded_names *names) {
  static const char race[] = "data-race", prefix[] = RECORDED_UNWATCHED;
  bool is_race = f->kind_length == sizeof race - 1 && memcmp(f->kind, race, sizeof race - 1) == 0;
  for (size_t m = 0; is_race && m < names->methods.count; m++) {
    const char *method = recorded_text(names, names->methods.data[m]);
    if (strncmp(method, prefix, sizeof prefix - 1) != 0) continue;
    for (uint32_t i = 0; i < f->events; i++) {
      uint32_t site = events[f->event + i].site;
      const struct recorded_site *s = &names->sites.data[site < names->sites.count ? site : 0];
      if (strcmp(recorded_text(names, s->function), method + sizeof prefix - 1) == 0) return true;
    }
  }
  return false;
}

void suppressions_apply(struct suppressions *s, struct predicted_report *r, const struct recorded_names *names) {
  size_t kept = 0;
  for (size_t i = 0; i < r->findings.count; i++) {
    if (is_unwatched(&r->findings.data[i], r->events.data, names))
      s->unwatched++;
    else if (is_suppressed(s, &r->findings.data[i], r->events.data, names))
      s->count++;
    else
      r->findings.data[kept++] = r->findings.data[i];
  }
  r->findings.count = kept;
}

void suppressions_text(const struct suppressions *s, struct text *out) {
  if (s->unwatched)
    text_printf(out, "%" PRIu64 " data race%s left out, in functions with no_sanitize(\"thread\")\n", s->unwatched,
                s->unwatched == 1 ? "" : "s");
  if (s->count) text_printf(out, "%" PRIu64 " finding%s suppressed\n", s->count, s->count == 1 ? "" : "s");
  for (size_t i = 0; i < s->rules.count; i++) {
    const struct suppression_rule *rule = &s->rules.data[i];
    if (rule->count)
      text_printf(out, "  %" PRIu64 " by %s:%s (%s:%" PRIu32 ")\n", rule->count, text_str(&rule->type), text_str(&rule->pattern), s->file,
                  rule->line);
  }
}

void suppressions_json(const struct suppressions *s, struct text *out) {
  bool any = false;
  text_putc(out, '[');
  for (size_t i = 0; i < s->rules.count; i++) {
    const struct suppression_rule *rule = &s->rules.data[i];
    struct text whole = {0};
    if (!rule->count) continue;
    text_printf(&whole, "%s:%s", text_str(&rule->type), text_str(&rule->pattern));
    text_puts(out, any ? ",{\"suppression\":" : "{\"suppression\":"), text_json_string(out, text_str(&whole));
    text_puts(out, ",\"file\":"), text_json_string(out, s->file);
    text_printf(out, ",\"line\":%" PRIu32 ",\"count\":%" PRIu64 "}", rule->line, rule->count);
    text_release(&whole);
    any = true;
  }
  text_putc(out, ']');
}

void suppressions_release(struct suppressions *s) {
  for (size_t i = 0; i < s->rules.count; i++) text_release(&s->rules.data[i].type), text_release(&s->rules.data[i].pattern);
  vec_release(&s->rules);
}
