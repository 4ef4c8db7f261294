/* Has sqlite do what programs with threads ask of it: usage: sqlite_client FILE THREADS ROWS. First each thread has a connection of its own to
 * one file, then all share one connection, then each has a database in memory. Prints what is in the tables at the end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

static int rows;
static const char *file;
static sqlite3 *shared;

static void fail(sqlite3 *db, const char *what) {
  fprintf(stderr, "sqlite_client: %s: %s\n", what, sqlite3_errmsg(db));
  exit(1);
}
static void run(sqlite3 *db, const char *sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(db, sql);
}
static sqlite3 *opened(const char *name) {
  sqlite3 *db;
  if (sqlite3_open(name, &db) != SQLITE_OK) fail(db, name);
  sqlite3_busy_timeout(db, 60000);
  return db;
}
static long long number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *s;
  if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW) fail(db, sql);
  long long n = sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  return n;
}

/* Inserts rows, `batch` in a transaction, looks some of them up, and changes others. */
static void use(sqlite3 *db, int thread, int batch) {
  sqlite3_stmt *insert, *look, *change;
  if (sqlite3_prepare_v2(db, "insert into t values (?, ?, ?)", -1, &insert, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(db, "select count(*), sum(length(text)) from t where k between ? and ?", -1, &look, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(db, "update t set n = n + 1 where k = ?", -1, &change, NULL) != SQLITE_OK)
    fail(db, "prepare");
  for (int i = 0; i < rows; i++) {
    int k = thread * rows + i;
    if (batch > 1 && i % batch == 0) run(db, "begin immediate");
    char text[64];
    snprintf(text, sizeof text, "thread %d row %d of %d", thread, i, rows);
    sqlite3_bind_int(insert, 1, k), sqlite3_bind_int(insert, 2, i % 97), sqlite3_bind_text(insert, 3, text, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(insert) != SQLITE_DONE) fail(db, "insert");
    sqlite3_reset(insert);
    if (i % 4 == 0) {
      sqlite3_bind_int(change, 1, k - k % 7);
      if (sqlite3_step(change) != SQLITE_DONE) fail(db, "update");
      sqlite3_reset(change);
    }
    if (batch > 1 && (i % batch == batch - 1 || i == rows - 1)) run(db, "commit");
    if (i % 16 == 0) {
      sqlite3_bind_int(look, 1, k - 50), sqlite3_bind_int(look, 2, k);
      if (sqlite3_step(look) != SQLITE_ROW) fail(db, "select");
      sqlite3_reset(look);
    }
  }
  sqlite3_finalize(insert), sqlite3_finalize(look), sqlite3_finalize(change);
}

#define TABLE "create table t (k integer primary key, n integer, text text); create index by_text on t (text)"

static void *own(void *thread) {
  sqlite3 *db = opened(file);
  use(db, (int)(size_t)thread, 100);
  sqlite3_close(db);
  return NULL;
}
static void *common(void *thread) {
  use(shared, (int)(size_t)thread, 1);
  return NULL;
}
static void *alone(void *thread) {
  sqlite3 *db = opened(":memory:");
  run(db, TABLE);
  use(db, (int)(size_t)thread, 100);
  long long all = number(db, "select count(distinct text) from t");
  sqlite3_close(db);
  return (void *)(size_t)all;
}

static long long in_threads(int threads, void *(*what)(void *)) {
  pthread_t t[threads];
  long long all = 0;
  for (int i = 0; i < threads; i++) pthread_create(&t[i], NULL, what, (void *)(size_t)i);
  for (int i = 0; i < threads; i++) {
    void *result;
    pthread_join(t[i], &result);
    all += (long long)(size_t)result;
  }
  return all;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: sqlite_client FILE THREADS ROWS\n"), 2;
  file = argv[1], rows = atoi(argv[3]);
  int threads = atoi(argv[2]);
  shared = opened(file);
  run(shared, "pragma journal_mode = wal; pragma synchronous = off;" TABLE);
  in_threads(threads, own);
  printf("%lld rows, ", number(shared, "select count(*) from t"));
  run(shared, "delete from t");
  in_threads(threads, common);
  printf("%lld rows, sum %lld, ", number(shared, "select count(*) from t"), number(shared, "select sum(n) from t where k % 7 <> 0"));
  sqlite3_close(shared);
  printf("%lld rows\n", in_threads(threads, alone));
  return 0;
}
