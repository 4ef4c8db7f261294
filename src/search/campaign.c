#include "search/campaign.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "explore/explore.h"

/* Changes with what is written; so do the sizes of what is written as it lies in memory. */
#define FORMAT 2

struct campaign {
  sqlite3 *db;
  struct text path, state;
};

static enum err complain(const struct campaign *c, struct diag *d) {
  int code = sqlite3_errcode(c->db);
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
    diag_set(d, ERR_USAGE, "%s: another process works on this campaign", text_str(&c->path));
    diag_hint(d, "wait for it, or take another folder");
    return ERR_USAGE;
  }
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) return campaign_corrupt(c, d);
  return diag_set(d, ERR_FILE, "%s: %s", text_str(&c->path), sqlite3_errmsg(c->db));
}

enum err campaign_corrupt(const struct campaign *c, struct diag *d) {
  diag_set(d, ERR_FORMAT, "%s: this is no campaign of this Heddle, or it is damaged", text_str(&c->path));
  diag_hint(d, "remove the folder to begin again");
  return ERR_FORMAT;
}

/* Runs a statement with at most one parameter and one row, whose only column is appended to `out` (may be NULL). SQLITE_DONE: no row. */
static int ask(const struct campaign *c, const char *sql, const struct text *parameter, struct text *out) {
  sqlite3_stmt *s;
  int code = sqlite3_prepare_v2(c->db, sql, -1, &s, NULL);
  if (code != SQLITE_OK) return code;
  if (parameter) sqlite3_bind_blob64(s, 1, text_str(parameter), parameter->count, SQLITE_STATIC);
  code = sqlite3_step(s);
  if (code == SQLITE_ROW && out) text_append(out, (const char *)sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0));
  sqlite3_finalize(s);
  return code;
}

static bool run(const struct campaign *c, const char *sql, const struct text *parameter) {
  int code = ask(c, sql, parameter, NULL);
  return code == SQLITE_DONE || code == SQLITE_ROW;
}

/* All that has to be the same: what is explored, and how the state is written. */
static void identify(const char *of, struct text *out) {
  text_printf(out, "format %d %zu %zu %zu %zu\n%s", FORMAT, sizeof(struct event), sizeof(struct dpor_node), sizeof(struct sleeper),
              sizeof(struct explore_counts), of);
}

static enum err compare(struct campaign *c, const char *of, struct diag *d) {
  struct text here = {0}, there = {0};
  enum err e = ERR_NONE;
  identify(of, &here);
  int code = ask(c, "SELECT value FROM campaign WHERE name = 'of'", NULL, &there);
  if (code == SQLITE_DONE) {
    if (!run(c, "INSERT INTO campaign VALUES ('of', ?)", &here)) e = complain(c, d);
  } else if (code != SQLITE_ROW) {
    e = complain(c, d);
  } else if (here.count != there.count || memcmp(here.data, there.data, here.count) != 0) {
    e = diag_set(d, ERR_USAGE, "%s: the campaign there is of another program, of other options, or by another Heddle", text_str(&c->path));
    diag_hint(d, "take another folder, or go on with it as it was begun");
  }
  text_release(&here);
  text_release(&there);
  return e;
}

static enum err open_in(struct campaign *c, const char *folder, const char *of, struct diag *d) {
  if (mkdir(folder, 0777) && errno != EEXIST) return diag_set(d, ERR_FILE, "%s: %s", folder, strerror(errno));
  if (sqlite3_open(text_str(&c->path), &c->db) != SQLITE_OK) return complain(c, d);
  /* One process at a time, from the first statement on to the end. */
  if (!run(c, "PRAGMA locking_mode = EXCLUSIVE", NULL) || !run(c, "BEGIN IMMEDIATE", NULL)) return complain(c, d);
  if (!run(c, "CREATE TABLE IF NOT EXISTS campaign (name TEXT PRIMARY KEY, value BLOB NOT NULL)", NULL)) return complain(c, d);
  enum err e = compare(c, of, d);
  if (e) return e;
  int code = ask(c, "SELECT value FROM campaign WHERE name = 'state'", NULL, &c->state);
  return (code == SQLITE_DONE || code == SQLITE_ROW) && run(c, "COMMIT", NULL) ? ERR_NONE : complain(c, d);
}

enum err campaign_open(const char *folder, const char *of, struct campaign **out, struct diag *d) {
  struct campaign *c = *out = mem_alloc(sizeof *c);
  text_printf(&c->path, "%s/campaign.sqlite", folder);
  return open_in(c, folder, of, d);
}

void campaign_close(struct campaign *c) {
  if (!c) return;
  sqlite3_close(c->db);
  text_release(&c->path);
  text_release(&c->state);
  mem_free(c, sizeof *c);
}

bool campaign_begun(const struct campaign *c) { return c->state.count; }

struct wire campaign_state(const struct campaign *c) {
  return (struct wire){c->state.data, c->state.data + c->state.count, false};
}

enum err campaign_save(struct campaign *c, const struct session *s, const struct frontier *f, struct diag *d) {
  text_clear(&c->state);
  campaign_write(s, f, &c->state);
  return run(c, "INSERT OR REPLACE INTO campaign VALUES ('state', ?)", &c->state) ? ERR_NONE : complain(c, d);
}
