/* Images: what is written is what is read; what is damaged is refused, and never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "program/image.h"
#include "program/image_build.h"
#include "program/insn.h"
#include "program/layout.h"

static const char path[] = "test_image.hdi", damaged[] = "test_image_damaged.hdi";

static void word(struct image_builder *b, unsigned op, unsigned x, unsigned y, unsigned z) {
  union insn insn = {.op = (uint16_t)op};
  insn.a = (uint16_t)x, insn.b = (uint16_t)y, insn.c = (uint16_t)z;
  *vec_push(&b->code) = insn;
  *vec_push(&b->code_sites) = 0;
}

static void raw(struct image_builder *b, uint64_t w) {
  *vec_push(&b->code) = (union insn){.word = w};
  *vec_push(&b->code_sites) = 0;
}

/* int twice(int x) { return x + x; } and a main that switches on a global and calls it; one entry at least in most sections. */
static void build(struct image_builder *b) {
  image_builder_init(b);
  uint32_t main_name = image_builder_string(b, "main", 4), twice = image_builder_string(b, "twice", 5),
           file = image_builder_string(b, "/t.c", 4);
  *vec_push(&b->sites) = (struct image_site){.function = 0, .file = file, .line = 3, .column = 7};
  *vec_push(&b->functions) = (struct image_function){
      .name = twice, .link_name = twice, .code = 0, .ncode = 2, .params = 1, .results = 1, .slots = 2, .file = file, .line = 1};
  word(b, OP_ADD32, 1, 0, 0);
  word(b, OP_RET, 1, 1, 0);
  uint32_t start = (uint32_t)b->code.count;
  *vec_push(&b->cases) = (struct image_case){.value = 1, .target = start + 4};
  *vec_push(&b->cases) = (struct image_case){.value = 9, .target = start + 7};
  word(b, OP_LD32, 0, 2, 4);
  word(b, OP_SWITCH, 0, 0, 0);
  raw(b, 2ull << 32);
  raw(b, start + 7);
  word(b, OP_CALL, 1, 1, 1);
  raw(b, 0);
  raw(b, 0);
  word(b, OP_RET, 0, 1, 0);
  *vec_push(&b->functions) = (struct image_function){
      .name = main_name, .link_name = main_name, .code = start, .ncode = 8, .results = 1, .slots = 2, .constants = 0, .nconstants = 1};
  *vec_push(&b->constants) = GLOBALS_BASE;
  b->main = 1;
  *vec_push(&b->externs) = (struct image_extern){.name = image_builder_string(b, "puts", 4)};
  *vec_push(&b->leaves) = (struct image_leaf){.offset = 0, .kind = LEAF_INT, .bytes = 4};
  *vec_push(&b->layouts) = (struct image_layout){.count = 1, .size = 4, .align = 4};
  uint32_t record = (uint32_t)b->types.count;
  *vec_push(&b->types) = (struct image_type){.kind = TYPE_SIGNED, .size = 4};
  *vec_push(&b->types) = (struct image_type){.kind = TYPE_STRUCT, .size = 8, .first = 0, .nmembers = 2};
  *vec_push(&b->types) = (struct image_type){.kind = TYPE_ARRAY, .size = 24, .element = record + 1, .count = 3};
  *vec_push(&b->members) = (struct image_member){.name = image_builder_string(b, "id", 2), .type = record};
  *vec_push(&b->members) = (struct image_member){.name = image_builder_string(b, "balance", 7), .type = record, .offset = 4};
  *vec_push(&b->globals) = (struct image_global){
      .address = GLOBALS_BASE, .size = 24, .name = image_builder_string(b, "account", 7), .type = record + 2, .align = 4};
  *vec_push(&b->ctors) = (struct image_ctor){.function = 0, .priority = 65535};
  *vec_push(&b->locals) = (struct image_local){.function = 0, .name = image_builder_string(b, "x", 1), .type = record, .from = 0, .to = 2};
  b->data_size = 32;
  *vec_push(&b->data) = 5;
}

static int write_image(void **state) {
  (void)state;
  struct image_builder b;
  struct diag d = {0};
  build(&b);
  assert_int_equal(image_builder_write(&b, path, &d), ERR_NONE);
  image_builder_release(&b);
  return 0;
}

static int nothing_leaks(void **state) {
  (void)state;
  unlink(path), unlink(damaged);
  assert_int_equal(mem_live(), 0);
  return 0;
}

static void what_was_written_is_read(void **state) {
  (void)state;
  struct image image;
  struct diag d = {0};
  assert_int_equal(image_open(&image, path, &d), ERR_NONE);
  assert_int_equal(image.nfunctions, 2);
  assert_string_equal(image_string(&image, image.functions[image.header->main].name), "main");
  assert_int_equal(image.ncode, 10);
  assert_int_equal(image.data[0], 5);
  struct text out = {0};
  image_site_text(&image, 0, &out);
  assert_string_equal(text_str(&out), "/t.c:3:7");
  text_release(&out);
  image_close(&image);
}

static void count_read(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  (void)word, (void)field;
  if (!write) *(uint32_t *)context += n;
}

/* What is behind the slot of a number of at most 64 bits may be anything, or the end of the function's slots. */
static void wide_numbers_come_from_one_slot_or_two(void **state) {
  (void)state;
  static const struct insn_layouts none;
  for (uint16_t bits = 1; bits < 128; bits++) {
    union insn widens = {.op = OP_WSEXT, .a = 0, .b = 2, .c = bits};
    uint32_t read = 0;
    insn_each_slot(&widens, &none, count_read, &read);
    assert_int_equal(read, bits <= 64 ? 1 : 2);
  }
}

static void addresses_are_named_by_path(void **state) {
  (void)state;
  struct image image;
  struct diag d = {0};
  static const struct {
    uint64_t offset, size;
    const char *name;
  } cases[] = {{0, 24, "account"}, {20, 4, "account[2].balance"}, {8, 8, "account[1]"}, {8, 4, "account[1].id"}, {9, 1, "account[1].id+1"}};
  assert_int_equal(image_open(&image, path, &d), ERR_NONE);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct text out = {0};
    assert_true(image_address_text(&image, GLOBALS_BASE + cases[i].offset, cases[i].size, &out));
    assert_string_equal(text_str(&out), cases[i].name);
    text_release(&out);
  }
  struct text out = {0};
  assert_false(image_address_text(&image, GLOBALS_BASE + 24, 1, &out));
  image_close(&image);
}

static void read_bytes(struct text *bytes) {
  struct diag d = {0};
  assert_int_equal(file_read(path, FILE_PROGRAM, bytes, &d), ERR_NONE);
}

/* Opens a changed copy. If it is accepted, then everything that reads it must get through it. */
static enum err open_bytes(const char *bytes, size_t n) {
  struct image image;
  struct diag d = {0};
  FILE *file = fopen(damaged, "wb"); /* file_write() would sync each of thousands */
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
  enum err e = image_open(&image, damaged, &d);
  if (e == ERR_NONE) {
    struct text out = {0};
    image_disassemble(&image, &out);
    for (uint64_t a = 0; a < 40; a++) (void)image_address_text(&image, GLOBALS_BASE + a, 1, &out);
    text_release(&out);
    image_close(&image);
  } else {
    assert_true(d.message.count > 0);
  }
  diag_release(&d);
  return e;
}

/* The same, with checksums that say that nothing is damaged: what is behind them is tested. */
static enum err open_damaged(char *bytes, size_t n) {
  if (n >= sizeof(struct image_header)) image_sign((struct image_header *)(void *)bytes, n);
  return open_bytes(bytes, n);
}

static void an_image_cut_anywhere_is_refused(void **state) {
  (void)state;
  struct text bytes = {0};
  read_bytes(&bytes);
  for (size_t n = 0; n < bytes.count; n += n < sizeof(struct image_header) + 64 ? 1 : 16)
    assert_int_equal(open_bytes(bytes.data, n), ERR_FORMAT);
  text_release(&bytes);
}

static void sections_outside_the_file_are_refused(void **state) {
  (void)state;
  struct text bytes = {0};
  read_bytes(&bytes);
  struct image_header good, bad;
  memcpy(&good, bytes.data, sizeof good);
#define X(name, type)                                                    \
  for (unsigned k = 0; k < 3; k++) {                                     \
    bad = good;                                                          \
    if (k == 0) bad.name##_offset = good.bytes + 16;                     \
    if (k == 1) bad.name##_count = UINT64_MAX / 2;                       \
    if (k == 2) bad.name##_offset += 8;                                  \
    memcpy(bytes.data, &bad, sizeof bad);                                \
    assert_int_equal(open_damaged(bytes.data, bytes.count), ERR_FORMAT); \
  }
  IMAGE_SECTIONS(X)
#undef X
  text_release(&bytes);
}

static void a_flipped_byte_is_refused(void **state) {
  (void)state;
  struct text bytes = {0};
  read_bytes(&bytes);
  for (size_t i = 0; i < bytes.count; i++) {
    bytes.data[i] = (char)(bytes.data[i] ^ 1 << i % 8);
    assert_int_equal(open_bytes(bytes.data, bytes.count), ERR_FORMAT);
    bytes.data[i] = (char)(bytes.data[i] ^ 1 << i % 8);
  }
  assert_int_equal(open_bytes(bytes.data, bytes.count), ERR_NONE);
  text_release(&bytes);
}

static void a_flipped_byte_that_the_checksum_covers_is_refused_or_harmless(void **state) {
  (void)state;
  struct text bytes = {0};
  read_bytes(&bytes);
  static const unsigned char flips[] = {0x01, 0x80, 0xff};
  unsigned refused = 0;
  for (size_t i = 0; i < bytes.count; i++) {
    char good = bytes.data[i];
    bytes.data[i] = (char)(good ^ flips[i % sizeof flips]);
    refused += open_damaged(bytes.data, bytes.count) != ERR_NONE;
    bytes.data[i] = good;
  }
  assert_true(refused > bytes.count / 4);
  text_release(&bytes);
}

/* Damages one word of code and expects the image to be refused. */
static void refuses_word(uint32_t index, uint64_t value) {
  struct text bytes = {0};
  read_bytes(&bytes);
  struct image_header h;
  memcpy(&h, bytes.data, sizeof h);
  memcpy(bytes.data + h.code_offset + 8ull * index, &value, 8);
  assert_int_equal(open_damaged(bytes.data, bytes.count), ERR_FORMAT);
  text_release(&bytes);
}

static uint64_t make(unsigned op, unsigned a, unsigned b, unsigned c) {
  return op | (uint64_t)a << 16 | (uint64_t)b << 32 | (uint64_t)c << 48;
}

static void bad_instructions_are_refused(void **state) {
  (void)state;
  refuses_word(0, make(OP_COUNT, 0, 0, 0)); /* no such instruction */
  refuses_word(0, make(OP_ADD32, 2, 0, 0)); /* writes a slot that the function lacks */
  refuses_word(0, make(OP_ADD32, 0, 7, 0)); /* reads one */
  refuses_word(1, make(OP_ADD32, 0, 0, 0)); /* runs off the end */
  refuses_word(1, make(OP_RET, 0, 0, 0));   /* returns too little */
  refuses_word(0, make(OP_JNZ, 0, 0, 5));   /* jumps into another function */
  refuses_word(2, make(OP_LD32, 2, 2, 0));  /* writes a constant */
  refuses_word(6, make(OP_CALL, 0, 0, 1));  /* too few arguments */
  refuses_word(7, 9);                       /* calls no function */
  refuses_word(7, 1ull << 32);              /* unwinds to no pad */
  refuses_word(4, 3ull << 32);              /* more cases than there are */
  refuses_word(5, 4);                       /* default inside an instruction */
}

/* Writes the image with these dependencies. Each list ends with UINT32_MAX. */
static enum err open_with_dependencies(struct image_depend d, const uint32_t *first, const uint32_t *edges) {
  struct image_builder b;
  struct image image;
  struct diag diag = {0};
  build(&b);
  *vec_push(&b.depend_sites) = d;
  for (; *first != UINT32_MAX; first++) *vec_push(&b.depend_first) = *first;
  for (; *edges != UINT32_MAX; edges++) *vec_push(&b.depend_edges) = *edges;
  assert_int_equal(image_builder_write(&b, damaged, &diag), ERR_NONE);
  image_builder_release(&b);
  enum err e = image_open(&image, damaged, &diag);
  if (e == ERR_NONE) image_close(&image);
  diag_release(&diag);
  unlink(damaged);
  return e;
}
#define LIST(...) ((const uint32_t[]){__VA_ARGS__ __VA_OPT__(, ) UINT32_MAX})

static void dependencies_that_lead_nowhere_are_refused(void **state) {
  (void)state;
  const struct image_depend good = {.control = 4};
  assert_int_equal(open_with_dependencies(good, LIST(0, 0, 0, 0, 0, 1), LIST(1)), ERR_NONE);
  assert_int_equal(open_with_dependencies(good, LIST(0, 0, 0, 0, 0, 1), LIST(5)), ERR_FORMAT);        /* an edge to no node */
  assert_int_equal(open_with_dependencies(good, LIST(0, 0, 0, 0, 0, 2), LIST(1)), ERR_FORMAT);        /* more edges than there are */
  assert_int_equal(open_with_dependencies(good, LIST(0, 0, 0, 1, 0, 1), LIST(1)), ERR_FORMAT);        /* fewer than none */
  assert_int_equal(open_with_dependencies(good, LIST(0, 0, 0, 0, 0), LIST()), ERR_FORMAT);            /* the site's node is missing */
  assert_int_equal(open_with_dependencies((struct image_depend){0}, LIST(0, 0), LIST()), ERR_FORMAT); /* and those that all images have */
}

static void an_image_of_another_version_is_refused(void **state) {
  (void)state;
  struct text bytes = {0};
  read_bytes(&bytes);
  uint32_t version = IMAGE_VERSION + 1;
  memcpy(bytes.data + offsetof(struct image_header, version), &version, sizeof version);
  assert_int_equal(open_damaged(bytes.data, bytes.count), ERR_FORMAT);
  text_release(&bytes);
}

static void a_missing_image_is_a_file_error(void **state) {
  (void)state;
  struct image image;
  struct diag d = {0};
  assert_int_equal(image_open(&image, "no-such-image.hdi", &d), ERR_FILE);
  assert_non_null(strstr(text_str(&d.message), "no-such-image.hdi"));
  diag_release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_is_read),
      cmocka_unit_test(wide_numbers_come_from_one_slot_or_two),
      cmocka_unit_test(addresses_are_named_by_path),
      cmocka_unit_test(an_image_cut_anywhere_is_refused),
      cmocka_unit_test(sections_outside_the_file_are_refused),
      cmocka_unit_test(a_flipped_byte_is_refused),
      cmocka_unit_test(a_flipped_byte_that_the_checksum_covers_is_refused_or_harmless),
      cmocka_unit_test(bad_instructions_are_refused),
      cmocka_unit_test(dependencies_that_lead_nowhere_are_refused),
      cmocka_unit_test(an_image_of_another_version_is_refused),
      cmocka_unit_test(a_missing_image_is_a_file_error),
  };
  return cmocka_run_group_tests(tests, write_image, nothing_leaks);
}
