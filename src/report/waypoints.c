#include "report/waypoints.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/file.h"
#include "base/sha256.h"
#include "machine/machine.h"
#include "report/violation.h"

void waypoints_release(struct waypoints *w) {
  for (size_t i = 0; i < w->list.count; i++) text_release(&w->list.data[i].constraint);
  vec_release(&w->list);
}

/* --- constraints: "\result", an operator, a constant. Version 2.0 takes no other form. --- */

/* C has no constant for the least number of 64 bits, nor for any that needs more; of those only the direction is said. */
static void signed_result(const struct machine_nondet *v, struct text *out) {
  bool negative = v->bits == 128 ? v->high >> 63 : v->low >> (v->bits - 1) & 1;
  uint64_t low = v->bits < 64 && negative ? v->low | ~0ull << v->bits : v->low;
  bool fits = v->bits < 128 || (v->high == (negative ? ~0ull : 0) && low >> 63 == negative);
  if (fits && low != 1ull << 63)
    text_printf(out, "== %" PRId64, (int64_t)low);
  else if (negative)
    text_printf(out, "< -%" PRId64, INT64_MAX);
  else
    text_printf(out, "> %" PRId64, INT64_MAX);
}

static void unsigned_result(const struct machine_nondet *v, struct text *out) {
  const char *suffix = v->low > INT64_MAX ? "U" : "";
  if (v->high)
    text_printf(out, "> %" PRIu64 "U", UINT64_MAX);
  else
    text_printf(out, "== %" PRIu64 "%s", v->low, suffix);
}

/* A float is compared as a double, so it is written as the double that it is. */
static void floating_result(double real, double most, struct text *out) {
  struct text digits = {0};
  if (isnan(real))
    text_puts(out, "!= 0");
  else if (isinf(real))
    text_printf(out, "%c %s%.17g", real > 0 ? '>' : '<', real > 0 ? "" : "-", most);
  else
    text_printf(&digits, "%.17g", real);
  if (digits.count) text_printf(out, "== %s%s", text_str(&digits), strpbrk(text_str(&digits), ".e") ? "" : ".0");
  text_release(&digits);
}

void waypoint_result(const struct machine_nondet *v, struct text *out) {
  float single;
  double real;
  uint32_t bits = (uint32_t)v->low;
  text_puts(out, "\\result ");
  switch (v->kind) {
    case NONDET_SIGNED:
      signed_result(v, out);
      break;
    case NONDET_UNSIGNED:
      unsigned_result(v, out);
      break;
    case NONDET_POINTER:
      text_puts(out, v->low ? "!= 0" : "== 0");
      break;
    case NONDET_FLOAT:
      memcpy(&single, &bits, sizeof single);
      floating_result((double)single, (double)FLT_MAX, out);
      break;
    case NONDET_DOUBLE:
      memcpy(&real, &v->low, sizeof real);
      floating_result(real, DBL_MAX, out);
      break;
  }
}

/* --- YAML. Strings are written as JSON's, which YAML has too. --- */

static void item(struct text *out, unsigned depth, const char *key, const char *value) {
  text_printf(out, "%*s%s: ", (int)(2 * depth), "", key);
  text_json_string(out, value);
  text_putc(out, '\n');
}

/* RFC 4122, version 4. */
static void write_uuid(struct text *out) {
  uint8_t b[16];
  for (size_t got = 0; got < sizeof b;) {
    ssize_t n = getrandom(b + got, sizeof b - got, 0);
    if (n > 0) got += (size_t)n;
  }
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  for (unsigned i = 0; i < sizeof b; i++) text_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

static void write_time(struct text *out) {
  char now[sizeof "2000-01-01T00:00:00Z"];
  time_t t = time(NULL);
  struct tm utc;
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
  text_puts(out, now);
}

static enum err write_hashes(const struct violation_task *task, struct text *out, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = 0; i < task->nfiles && !e; i++) {
    struct text content = {0}, digest = {0};
    e = file_read(task->files[i], FILE_TEXT, &content, d);
    sha256_text(content.data, content.count, &digest);
    text_puts(out, "        ");
    text_json_string(out, task->files[i]);
    text_printf(out, ": \"%s\"\n", text_str(&digest));
    text_release(&content);
    text_release(&digest);
  }
  return e;
}

static enum err write_metadata(const struct waypoints *w, const struct violation_task *task, struct text *out, struct diag *d) {
  struct text uuid = {0}, now = {0};
  write_uuid(&uuid);
  write_time(&now);
  text_puts(out, "  metadata:\n");
  item(out, 2, "format_version", w->has_threads ? "2.2" : "2.0");
  item(out, 2, "uuid", text_str(&uuid));
  item(out, 2, "creation_time", text_str(&now));
  text_release(&uuid);
  text_release(&now);
  text_puts(out, "    producer:\n");
  item(out, 3, "name", "Heddle");
  item(out, 3, "version", task->version);
  text_puts(out, "    task:\n      input_files:\n");
  for (size_t i = 0; i < task->nfiles; i++) {
    text_puts(out, "        - ");
    text_json_string(out, task->files[i]);
    text_putc(out, '\n');
  }
  text_puts(out, "      input_file_hashes:\n");
  enum err e = write_hashes(task, out, d);
  item(out, 3, "specification", task->specification);
  item(out, 3, "data_model", "LP64");
  item(out, 3, "language", "C");
  return e;
}

static void write_waypoint(const struct waypoints *w, const struct waypoint *p, struct text *out) {
  static const char *const types[] = {
#define X(name, text) [WAYPOINT_##name] = text,
      WAYPOINT_LIST(X)
#undef X
  };
  text_puts(out, "        - waypoint:\n");
  item(out, 6, "type", types[p->type]);
  item(out, 6, "action", "follow");
  if (w->has_threads && p->thread != WAYPOINT_NO_THREAD) text_printf(out, "            thread_id: %" PRIu32 "\n", p->thread);
  if (p->constraint.count) {
    bool plain = p->type != WAYPOINT_FUNCTION_RETURN; /* what has \result has a name of its own, which has changed */
    text_puts(out, "            constraint:\n");
    item(out, 7, "value", text_str(&p->constraint));
    item(out, 7, "format", plain ? "c_expression" : w->has_threads ? "ext_c_expression" : "acsl_expression");
  }
  text_puts(out, "            location:\n");
  item(out, 7, "file_name", p->file);
  text_printf(out, "              line: %" PRIu32 "\n", p->spot.line);
  text_printf(out, "              column: %" PRIu32 "\n", p->spot.column);
  if (*p->function) item(out, 7, "function", p->function);
}

enum err waypoints_write(const struct waypoints *w, const struct violation_task *task, struct text *out, struct diag *d) {
  text_puts(out, "- entry_type: \"violation_sequence\"\n");
  enum err e = write_metadata(w, task, out, d);
  text_puts(out, "  content:\n");
  for (size_t i = 0; i < w->list.count; i++) {
    const struct waypoint *p = &w->list.data[i];
    bool joins = i > 0 && p->type == WAYPOINT_TARGET && w->list.data[i - 1].type == WAYPOINT_TARGET;
    if (!joins) text_puts(out, "    - segment:\n");
    write_waypoint(w, p, out);
  }
  return e;
}
