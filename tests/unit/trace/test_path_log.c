/* Logs of control flow: what was appended is read, in whatever places of the file its chunks are; what is damaged is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "trace/path_log.h"

#define WORDS (PATH_CHUNK / 8)

struct made {
  uint64_t bytes[8 * WORDS];
  uint32_t chunks;
};

static struct path_header *header_of(struct made *m) { return (struct path_header *)(void *)m->bytes; }

static void begin(struct made *m, uint32_t threads) {
  static const char texts[] = "/bin/program\0program\0one\0\0two";
  struct path_header *h = header_of(m);
  memset(m, 0, sizeof *m);
  *h = (struct path_header){.version = PATH_VERSION, .size = sizeof *h, .threads = threads, .texts = sizeof texts};
  memcpy(h->magic, PATH_MAGIC, sizeof h->magic);
  memcpy(h + 1, texts, sizeof texts);
}

/* Words of 64 bits: each has its highest bit set before what it says. */
static void chunk(struct made *m, struct path_chunk head, size_t n, const uint64_t *words) {
  uint64_t *at = m->bytes + ++m->chunks * WORDS;
  memcpy(at, &head, sizeof head);
  if (n) memcpy(at + 2, words, n * sizeof *words);
  header_of(m)->chunks = m->chunks;
}

static enum err read_bytes(struct path_log *log, const struct made *m, size_t bytes) {
  char path[] = "/tmp/path-log-XXXXXX";
  struct diag d = {0};
  int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, m->bytes, bytes) == (ssize_t)bytes);
  close(fd);
  enum err e = path_log_read(log, path, &d);
  assert_int_equal(e != ERR_NONE, d.message.count != 0);
  unlink(path);
  diag_release(&d);
  return e;
}
static enum err read_whole(struct path_log *log, const struct made *m) { return read_bytes(log, m, (m->chunks + 1) * (size_t)PATH_CHUNK); }

static struct made made;

static void bits_are_read_in_their_order(void **state) {
  (void)state;
  struct path_log log;
  struct text name = {0};
  begin(&made, 3);
  chunk(&made, (struct path_chunk){0}, 3, (uint64_t[]){PATH_FULL | 5, 1, 0x1a}); /* 60 zeros and 101; none; 1010 */
  chunk(&made, (struct path_chunk){.thread = 1, .nth = 1}, 1, (uint64_t[]){3});
  chunk(&made, (struct path_chunk){.thread = 2, .parent = 1, .nth = 4}, 1, (uint64_t[]){1});
  assert_int_equal(read_whole(&log, &made), ERR_NONE);
  assert_string_equal(log.program, "/bin/program");
  assert_string_equal(log.called, "program");
  assert_int_equal(log.arguments.count, 3);
  assert_string_equal(log.arguments.data[1], "");
  assert_string_equal(log.arguments.data[2], "two");
  assert_int_equal(log.threads.data[0].bits, 67);
  assert_int_equal(path_log_number(&log, 0, 0, 60), 0);
  assert_int_equal(path_log_number(&log, 0, 60, 7), 0x5a);
  assert_int_equal(log.threads.data[1].bits, 1);
  assert_int_equal(log.threads.data[2].bits, 0);
  assert_int_equal(path_log_child(&log, 0, 1), 1);
  assert_int_equal(path_log_child(&log, 1, 4), 2);
  assert_int_equal(path_log_child(&log, 0, 2), PATH_THREADS);
  path_log_name(&log, 2, &name);
  assert_string_equal(text_str(&name), "0.1.4");
  text_release(&name);
  path_log_release(&log);
  assert_int_equal(mem_live(), 0);
}

static void chunks_may_lie_anywhere_and_the_last_one_twice(void **state) {
  (void)state;
  struct path_log log;
  begin(&made, 1);
  chunk(&made, (struct path_chunk){.sequence = 1}, 1, (uint64_t[]){7});
  chunk(&made, (struct path_chunk){.sequence = 0}, 1, (uint64_t[]){4});
  assert_int_equal(read_whole(&log, &made), ERR_NONE);
  assert_int_equal(log.threads.data[0].bits, 4);
  assert_int_equal(path_log_number(&log, 0, 0, 4), 3);
  path_log_release(&log);
  chunk(&made, (struct path_chunk){.sequence = 1}, 1, (uint64_t[]){7});
  assert_int_equal(read_whole(&log, &made), ERR_NONE);
  assert_int_equal(log.threads.data[0].bits, 4);
  path_log_release(&log);
}

static void a_chunk_that_was_never_written_to_is_none(void **state) {
  (void)state;
  struct path_log log;
  begin(&made, 1);
  chunk(&made, (struct path_chunk){0}, 1, (uint64_t[]){2});
  chunk(&made, (struct path_chunk){.thread = 77}, 0, NULL);
  assert_int_equal(read_whole(&log, &made), ERR_NONE);
  assert_int_equal(log.threads.data[0].bits, 1);
  path_log_release(&log);
}

static void what_was_cut_is_refused_wherever(void **state) {
  (void)state;
  struct path_log log;
  begin(&made, 1);
  chunk(&made, (struct path_chunk){0}, 1, (uint64_t[]){2});
  for (size_t bytes = 0; bytes < 2 * PATH_CHUNK; bytes += bytes < 100 ? 1 : 4001)
    assert_int_equal(read_bytes(&log, &made, bytes), ERR_FORMAT);
  assert_int_equal(mem_live(), 0);
}

static void what_is_damaged_is_refused(void **state) {
  (void)state;
  struct path_log log;
  static const struct {
    struct path_chunk a, b;
  } wrong[] = {
      {{.sequence = 1}, {.sequence = 2}}, /* the first one is missing */
      {{.sequence = 0}, {.sequence = 2}}, /* one between them */
      {{.thread = 2}, {0}},               /* there is no such thread, */
      {{.parent = 9}, {.sequence = 1}},   /* nor such a parent */
      {{0}, {.thread = 1, .parent = 1}},  /* its own */
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    begin(&made, 2);
    chunk(&made, wrong[i].a, 1, (uint64_t[]){2});
    chunk(&made, wrong[i].b, 1, (uint64_t[]){2});
    assert_int_equal(read_whole(&log, &made), ERR_FORMAT);
  }
  for (size_t i = 0; i < 7; i++) {
    begin(&made, 1);
    struct path_header *h = header_of(&made);
    chunk(&made, (struct path_chunk){0}, 1, (uint64_t[]){2});
    if (i == 0) h->version++;
    if (i == 1) h->size--;
    if (i == 2) h->chunks = UINT32_MAX;
    if (i == 3) h->threads = 0;
    if (i == 4) h->texts = 3; /* in the middle of a string */
    if (i == 5) h->texts = 0;
    if (i == 6) h->how = PATH_HOWS;
    assert_int_equal(read_whole(&log, &made), ERR_FORMAT);
  }
  assert_int_equal(mem_live(), 0);
}

/* --- what the run was given --- */

/* A chunk of pieces, each with its bytes behind it; `text` is put there. */
static char *begin_pieces(void) {
  chunk(&made, (struct path_chunk){.thread = PATH_GIVEN}, 0, NULL);
  return (char *)(made.bytes + made.chunks * WORDS + 2);
}
static char *piece(char *at, struct path_piece head, const char *text) {
  head.bytes = (uint32_t)strlen(text);
  head.room = (head.bytes + 7u) & ~7u;
  memcpy(at, &head, sizeof head);
  memcpy(at + sizeof head, text, head.bytes);
  return at + sizeof head + head.room;
}
static void begin_given(void) {
  begin(&made, 1);
  chunk(&made, (struct path_chunk){0}, 1, (uint64_t[]){2});
}

static void what_was_given_is_put_together(void **state) {
  (void)state;
  struct path_log log;
  begin_given();
  header_of(&made)->input = PATH_KEPT;
  char *at = begin_pieces();
  at = piece(at, (struct path_piece){.kind = PIECE_BYTES, .item = 2, .at = 5}, "world");
  at = piece(at, (struct path_piece){.kind = PIECE_VARIABLE, .kept = PATH_KEPT, .item = 1}, "HOME=/");
  at = piece(at, (struct path_piece){.kind = PIECE_BYTES, .item = 9, .at = 0}, "never told of");
  at = piece(at, (struct path_piece){.kind = PIECE_PENDING}, "not written to its end");
  at = piece(at, (struct path_piece){.kind = PIECE_FILE, .kept = PATH_KEPT_LARGE, .item = 4}, "large");
  at = piece(at, (struct path_piece){.kind = PIECE_BYTES, .item = 4}, "given up");
  at = begin_pieces();
  at = piece(at, (struct path_piece){.kind = PIECE_FILE, .kept = PATH_KEPT, .item = 2, .at = 10}, "a name");
  at = piece(at, (struct path_piece){.kind = PIECE_BYTES, .item = 2, .at = 0}, "hello");
  at = piece(at, (struct path_piece){.kind = PIECE_INPUT, .kept = PATH_KEPT, .item = 3, .at = 0}, "");
  assert_int_equal(read_whole(&log, &made), ERR_NONE);
  assert_int_equal(log.given.count, 4);
  const struct path_given *file = path_log_given(&log, PIECE_FILE, "a name"), *input = path_log_given(&log, PIECE_INPUT, "");
  assert_int_equal(file->size, 10);
  assert_string_equal(file->bytes, "helloworld");
  assert_int_equal(input->size, 0);
  assert_string_equal(log.given.data[0].name, "HOME=/");
  assert_int_equal(path_log_given(&log, PIECE_FILE, "large")->kept, PATH_KEPT_LARGE);
  assert_null(path_log_given(&log, PIECE_FILE, "another"));
  assert_int_equal(log.threads.data[0].bits, 1);
  path_log_release(&log);
  assert_int_equal(mem_live(), 0);
}

static void damaged_pieces_are_refused(void **state) {
  (void)state;
  struct path_log log;
  static const struct path_piece whole = {.kind = PIECE_FILE, .kept = PATH_KEPT, .at = 4}, part = {.kind = PIECE_BYTES};
  for (size_t i = 0; i < 9; i++) {
    struct path_piece a = part, b = whole;
    begin_given();
    if (i == 1) a.at = 1;                  /* a gap before it */
    if (i == 2) b.at = 5;                  /* behind it */
    if (i == 3) b.at = PATH_KEPT_MOST_ALL; /* and a large one */
    if (i == 4) a = whole, a.at = 0;       /* two files of one number */
    if (i == 5) b.kind = PIECE_KINDS;      /* there is no such kind */
    if (i == 6) b.kept = PATH_KEPT_COUNT;  /* nor that */
    char *at = begin_pieces();
    char *second = piece(at, a, "abcd");
    piece(second, b, "name");
    if (i == 7) second[4] = 12; /* room of no whole words */
    if (i == 8) second[7] = 1;  /* and that the chunk has not */
    enum err e = read_whole(&log, &made);
    assert_int_equal(e, i == 0 ? ERR_NONE : ERR_FORMAT);
    if (!e) path_log_release(&log);
  }
  begin_given();
  header_of(&made)->input = PATH_KEPT_COUNT;
  assert_int_equal(read_whole(&log, &made), ERR_FORMAT);
  begin_given();
  char *at = begin_pieces();
  piece(at, (struct path_piece){.kind = PIECE_FILE, .kept = PATH_KEPT}, "name");
  at[sizeof(struct path_piece) + 1] = 0; /* a zero in a name */
  assert_int_equal(read_whole(&log, &made), ERR_FORMAT);
  assert_int_equal(mem_live(), 0);
}

static void the_first_version_is_read(void **state) {
  (void)state;
  static const char texts[] = "/bin/program\0one";
  struct path_log log;
  begin_given();
  struct path_header *h = header_of(&made);
  h->version = 1, h->size = PATH_HEADER_1, h->texts = sizeof texts;
  memcpy((char *)h + PATH_HEADER_1, texts, sizeof texts);
  assert_int_equal(read_whole(&log, &made), ERR_NONE);
  assert_string_equal(log.program, "/bin/program");
  assert_string_equal(log.arguments.data[0], "one");
  assert_null(log.called);
  assert_int_equal(log.header.input, PATH_KEPT_NOT);
  path_log_release(&log);
}

/* --- writing --- */

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 20;
}

static void expect_same(const struct path_log *a, const struct path_log *b) {
  assert_string_equal(a->program, b->program);
  assert_string_equal(a->called, b->called);
  assert_int_equal(a->arguments.count, b->arguments.count);
  for (size_t i = 0; i < a->arguments.count; i++) assert_string_equal(a->arguments.data[i], b->arguments.data[i]);
  assert_memory_equal(&a->header, &b->header, sizeof a->header);
  assert_int_equal(a->threads.count, b->threads.count);
  for (size_t i = 0; i < a->threads.count; i++) {
    const struct path_thread *x = &a->threads.data[i], *y = &b->threads.data[i];
    assert_int_equal(x->parent, y->parent);
    assert_int_equal(x->nth, y->nth);
    assert_int_equal(x->bits, y->bits);
    assert_true(y->known);
    if (x->bits) assert_memory_equal(x->words.data, y->words.data, (x->bits + 63) / 64 * sizeof(uint64_t));
  }
  assert_int_equal(a->given.count, b->given.count);
  for (size_t i = 0; i < a->given.count; i++) {
    const struct path_given *x = &a->given.data[i], *y = &b->given.data[i];
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->kept, y->kept);
    assert_string_equal(x->name, y->name);
    assert_int_equal(x->size, y->size);
    if (x->size) assert_memory_equal(x->bytes, y->bytes, x->size);
  }
}

/* Threads of no bits, of few, of just a word, of a chunk, and of more; files that begin and end anywhere in a chunk. */
static void what_is_written_is_read(void **state) {
  (void)state;
  static char bytes[3 * PATH_CHUNK];
  static const uint64_t sizes[] = {
      0, 1, 62, 63, 64, 126, PATH_WORDS * PATH_BITS - 1, PATH_WORDS * PATH_BITS, PATH_WORDS * PATH_BITS + 1, 3 * PATH_WORDS * PATH_BITS};
  char path[] = "/tmp/path-log-XXXXXX";
  uint64_t random = 1;
  struct diag d = {0};
  struct path_log log = {.program = "/bin/program", .called = "program"}, again;
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)next_random(&random);
  log.header = (struct path_header){
      .build = 77, .end = PATH_END_SIGNAL, .code = 6, .failure = {.signal = 6, .thread = 3}, .input = PATH_KEPT, .how = PATH_HOW_NUMBERS};
  *vec_push(&log.arguments) = "";
  *vec_push(&log.arguments) = "two words";
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct path_thread *t = vec_push(&log.threads);
    *t = (struct path_thread){.parent = i ? (uint32_t)(i - 1) / 2 : 0, .nth = (uint32_t)i};
    while (t->bits < sizes[i]) {
      uint32_t n = 1 + (uint32_t)next_random(&random) % PATH_NUMBERS;
      path_log_append(t, next_random(&random), sizes[i] - t->bits < n ? (uint32_t)(sizes[i] - t->bits) : n);
    }
  }
  *vec_push(&log.given) = (struct path_given){PIECE_VARIABLE, PATH_KEPT, "HOME=/", "", 0};
  *vec_push(&log.given) = (struct path_given){PIECE_INPUT, PATH_KEPT, "", bytes, sizeof bytes};
  for (size_t n = PATH_PIECE_MOST - 60; n < PATH_PIECE_MOST + 2; n += 3)
    *vec_push(&log.given) = (struct path_given){PIECE_FILE, PATH_KEPT, "a name", bytes + n, n};
  *vec_push(&log.given) = (struct path_given){PIECE_FILE, PATH_KEPT_LARGE, "large", "", 0};
  close(mkstemp(path));
  assert_int_equal(path_log_write(&log, path, &d), ERR_NONE);
  assert_int_equal(path_log_read(&again, path, &d), ERR_NONE);
  expect_same(&log, &again);
  unlink(path);
  path_log_release(&again);
  path_log_release(&log);
  assert_int_equal(mem_live(), 0);
}

static void bits_are_cut_and_appended(void **state) {
  (void)state;
  struct path_log log = {0};
  struct path_thread *t = vec_push(&log.threads);
  *t = (struct path_thread){0};
  for (unsigned i = 0; i < 40; i++) path_log_append(t, UINT64_MAX, 5);
  for (uint64_t at = 200; at > 0; at -= at > 9 ? 9 : at) {
    path_log_cut(t, at);
    path_log_append(t, 2, 3);
    assert_int_equal(t->bits, at + 3);
    assert_int_equal(path_log_number(&log, 0, at - 1, 4), 8 + 2);
    path_log_cut(t, at);
    assert_int_equal(t->words.count, (at + 63) / 64);
  }
  path_log_cut(t, 0);
  assert_int_equal(t->words.count, 0);
  path_log_release(&log);
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(bits_are_cut_and_appended),
      cmocka_unit_test(bits_are_read_in_their_order),
      cmocka_unit_test(chunks_may_lie_anywhere_and_the_last_one_twice),
      cmocka_unit_test(a_chunk_that_was_never_written_to_is_none),
      cmocka_unit_test(what_was_cut_is_refused_wherever),
      cmocka_unit_test(what_is_damaged_is_refused),
      cmocka_unit_test(what_was_given_is_put_together),
      cmocka_unit_test(damaged_pieces_are_refused),
      cmocka_unit_test(the_first_version_is_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
