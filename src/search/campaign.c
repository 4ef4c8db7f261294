#include "search/campaign.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "explore/explore.h"
#include "search/frontier.h"

/* Changes with what is written; so do the sizes of what is written as it lies in memory. */
#define FORMAT 3

#define SEAL_SEED 0x68656464u
enum { SEAL = 8 }; /* bytes of a checksum */

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

static uint64_t seal_of(const char *name, const char *bytes, size_t n) {
  return hash_bytes(bytes, n, hash_bytes(name, strlen(name), SEAL_SEED));
}

/* Writes a value, under its checksum. */
static bool put(const struct campaign *c, const char *name, const struct text *value) {
  struct text sealed = {0}, sql = {0};
  uint64_t seal = seal_of(name, text_str(value), value->count);
  text_append(&sealed, (const char *)&seal, SEAL);
  text_append(&sealed, text_str(value), value->count);
  text_printf(&sql, "INSERT OR REPLACE INTO campaign VALUES ('%s', ?)", name);
  bool ok = run(c, text_str(&sql), &sealed);
  text_release(&sealed);
  text_release(&sql);
  return ok;
}

/* Appends a value, without it. Campaigns without the value are damaged, too. */
static enum err get(const struct campaign *c, const char *name, struct text *value, struct diag *d) {
  struct text sealed = {0}, sql = {0};
  uint64_t seal = 0;
  text_printf(&sql, "SELECT value FROM campaign WHERE name = '%s'", name);
  int code = ask(c, text_str(&sql), NULL, &sealed);
  enum err e = code == SQLITE_ROW || code == SQLITE_DONE ? ERR_NONE : complain(c, d);
  if (!e && sealed.count >= SEAL) memcpy(&seal, sealed.data, SEAL);
  if (!e && (sealed.count < SEAL || seal != seal_of(name, sealed.data + SEAL, sealed.count - SEAL))) e = campaign_corrupt(c, d);
  if (!e) text_append(value, sealed.data + SEAL, sealed.count - SEAL);
  text_release(&sealed);
  text_release(&sql);
  return e;
}

/* What a database says of itself may be anything: it has one table, and all its pages are what they should be. */
static enum err check_database(const struct campaign *c, bool *is_new, struct diag *d) {
  struct text answer = {0}, tables = {0};
  enum err e = ERR_NONE;
  if (ask(c, "PRAGMA integrity_check(1)", NULL, &answer) != SQLITE_ROW) e = complain(c, d);
  if (!e && strcmp(text_str(&answer), "ok") != 0) e = campaign_corrupt(c, d);
  if (!e && ask(c, "SELECT count(*) || ' ' || coalesce(group_concat(type || name), '') FROM sqlite_schema", NULL, &tables) != SQLITE_ROW)
    e = complain(c, d);
  *is_new = strcmp(text_str(&tables), "0 ") == 0;
  if (!e && !*is_new && strcmp(text_str(&tables), "2 tablecampaign,indexsqlite_autoindex_campaign_1") != 0) e = campaign_corrupt(c, d);
  text_release(&answer);
  text_release(&tables);
  return e;
}

static enum err begin(const struct campaign *c, const char *of, struct diag *d) {
  struct text here = {0}, nothing = {0};
  identify(of, &here);
  bool ok = run(c, "CREATE TABLE campaign (name TEXT PRIMARY KEY, value BLOB NOT NULL)", NULL) && put(c, "of", &here) &&
            put(c, "state", &nothing);
  text_release(&here);
  return ok ? ERR_NONE : complain(c, d);
}

static enum err go_on(struct campaign *c, const char *of, struct diag *d) {
  struct text here = {0}, there = {0};
  identify(of, &here);
  enum err e = get(c, "of", &there, d);
  if (!e && (here.count != there.count || memcmp(here.data, there.data, here.count) != 0)) {
    e = diag_set(d, ERR_USAGE, "%s: the campaign there is of another program, of other options, or by another Heddle", text_str(&c->path));
    diag_hint(d, "take another folder, or go on with it as it was begun");
  }
  if (!e) e = get(c, "state", &c->state, d);
  text_release(&here);
  text_release(&there);
  return e;
}

static enum err open_in(struct campaign *c, const char *folder, const char *of, struct diag *d) {
  if (mkdir(folder, 0777) && errno != EEXIST) return diag_set(d, ERR_FILE, "%s: %s", folder, strerror(errno));
  enum err e = access(text_str(&c->path), F_OK) == 0 ? file_check(text_str(&c->path), FILE_CAMPAIGN, d) : ERR_NONE;
  if (e) return e;
  if (sqlite3_open(text_str(&c->path), &c->db) != SQLITE_OK) return complain(c, d);
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(c->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  /* One process at a time, from the first statement on to the end. */
  if (!run(c, "PRAGMA locking_mode = EXCLUSIVE", NULL) || !run(c, "BEGIN IMMEDIATE", NULL)) return complain(c, d);
  bool is_new;
  e = check_database(c, &is_new, d);
  if (!e) e = is_new ? begin(c, of, d) : go_on(c, of, d);
  if (e) return e;
  return run(c, "COMMIT", NULL) ? ERR_NONE : complain(c, d);
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

enum err campaign_save(struct campaign *c, const struct text *state, struct diag *d) {
  return put(c, "state", state) ? ERR_NONE : complain(c, d);
}
