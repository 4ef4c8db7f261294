/* The loader: from textual IR to bytecode, judged by the disassembly; and its answers to bad input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "program/image.h"
#include "program/layout.h"
#include "program/lower/load.h"

static const char source[] = "test_lower.ll", output[] = "test_lower.hdi";
#define TARGET                                                                                                \
  "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n" \
  "target triple = \"x86_64-pc-linux-gnu\"\n"
#define MAIN "define i32 @main() {\n  ret i32 0\n}\n"

static void write_text(const char *path, const char *text, size_t n) {
  struct diag d = {0};
  assert_int_equal(file_write(path, text, n, &d), ERR_NONE);
}

static enum err load(const char *const *inputs, size_t ninputs, const char *const *models, size_t nmodels, struct diag *d) {
  struct load_options o = {.output = output, .inputs = inputs, .ninputs = ninputs, .models = models, .nmodels = nmodels};
  return load_program(&o, d);
}

/* The disassembly of the module `ir`. */
static void disassembly(const char *ir, struct text *out) {
  const char *inputs[] = {source};
  struct diag d = {0};
  struct image image;
  write_text(source, ir, strlen(ir));
  if (load(inputs, 1, NULL, 0, &d) != ERR_NONE) fail_msg("%s", text_str(&d.message));
  if (image_open(&image, output, &d) != ERR_NONE) fail_msg("%s", text_str(&d.message));
  image_disassemble(&image, out);
  image_close(&image);
}

static void expect(const char *ir, const char *const *parts, size_t n) {
  struct text out = {0};
  disassembly(ir, &out);
  const char *at = text_str(&out);
  for (size_t i = 0; i < n; i++) {
    const char *found = strstr(at, parts[i]);
    if (!found) fail_msg("no '%s' in order in:\n%s", parts[i], text_str(&out));
    at = found + strlen(parts[i]);
  }
  text_release(&out);
}
#define EXPECT(ir, ...) expect(ir, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void refuse(const char *ir, enum err wanted, const char *message) {
  const char *inputs[] = {source};
  struct diag d = {0};
  write_text(source, ir, strlen(ir));
  unlink(output);
  assert_int_equal(load(inputs, 1, NULL, 0, &d), wanted);
  if (!strstr(text_str(&d.message), message)) fail_msg("'%s' lacks '%s'", text_str(&d.message), message);
  assert_null(strchr(text_str(&d.message), '\n'));
  assert_int_not_equal(access(output, F_OK), 0);
  diag_release(&d);
}

#define SUM                                             \
  "define i32 @main(i32 %n, ptr %a) {\n"                \
  "entry:\n  br label %loop\n"                          \
  "loop:\n"                                             \
  "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"    \
  "  %s = phi i32 [ 0, %entry ], [ %t, %loop ]\n"       \
  "  %p = getelementptr inbounds i32, ptr %a, i64 %i\n" \
  "  %v = load i32, ptr %p\n"                           \
  "  %t = add i32 %s, %v\n"                             \
  "  %next = add i64 %i, 1\n"                           \
  "  %c = icmp ne i64 %next, 1000\n"                    \
  "  br i1 %c, label %loop, label %end\n"               \
  "end:\n  ret i32 %t\n}\n"

static void a_summing_loop_takes_four_words(void **state) {
  (void)state;
  EXPECT(TARGET SUM, "     2  LDX32 r4 r1 r2", "     3  ADD32 r3 r3 r4", "     4  ADDI64 r2 r2 1", "     5  JNEI r2 1000 ->2",
         "     6  RET r3");
}

static void swapped_phis_go_through_a_temporary(void **state) {
  (void)state;
  EXPECT(TARGET
         "define i32 @main(i32 %n) {\nentry:\n  br label %loop\n"
         "loop:\n  %a = phi i32 [ 1, %entry ], [ %b, %loop ]\n  %b = phi i32 [ 2, %entry ], [ %a, %loop ]\n"
         "  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n"
         "  br i1 %c, label %loop, label %end\nend:\n  ret i32 %a\n}\n",
         "MOV r4 r2", "MOV r2 r1", "MOV r1 r4");
}

static void constant_offsets_fold_into_accesses(void **state) {
  (void)state;
  EXPECT(TARGET
         "%s = type { i32, [4 x i64] }\n@g = global %s zeroinitializer\n"
         "define i32 @main(ptr %p) {\n  %a = getelementptr %s, ptr %p, i64 0, i32 1, i64 2\n  %v = load i64, ptr %a\n"
         "  store i64 %v, ptr getelementptr (%s, ptr @g, i64 0, i32 1, i64 3)\n  ret i32 0\n}\n",
         "LD64 r1 r0 24", "ST64 r1 #0x200000010020 0");
}

static void plain_accesses_are_neither_dropped_nor_merged(void **state) {
  (void)state;
  EXPECT(TARGET
         "@g = global i32 0\ndefine i32 @main() {\n  %unused = load i32, ptr @g\n  %a = load i32, ptr @g\n  store i32 1, ptr @g\n"
         "  store i32 2, ptr @g\n  ret i32 %a\n}\n",
         "LD32", "LD32", "ST32", "ST32", "RET");
}

static void locals_that_do_not_escape_are_promoted(void **state) {
  (void)state;
  struct text out = {0};
  disassembly(
      TARGET
      "define i32 @main(i32 %n) noinline optnone {\n  %x = alloca i32\n  store i32 %n, ptr %x\n  %v = load i32, ptr %x\n  ret i32 %v\n}\n",
      &out);
  assert_null(strstr(text_str(&out), "ALLOCA"));
  assert_null(strstr(text_str(&out), "LD32"));
  text_release(&out);
}

static void dense_switches_use_a_table(void **state) {
  (void)state;
  EXPECT(TARGET
         "define i32 @main(i32 %n) {\n  switch i32 %n, label %d [ i32 3, label %a\n i32 4, label %b\n i32 5, label %a\n i32 7, label %b ]\n"
         "a:\n  ret i32 1\nb:\n  ret i32 2\nd:\n  ret i32 3\n}\n",
         "SWITCHD r0 3->", "7->", "default->");
}

static void narrow_arithmetic_stays_canonical(void **state) {
  (void)state;
  EXPECT(TARGET "define i8 @main(i8 %a, i8 %b) {\n  %s = add i8 %a, %b\n  %d = sdiv i8 %s, %b\n  ret i8 %d\n}\n", "ADD32 r2 r0 r1",
         "TRUNC r2 r2 8", "SEXT8_32", "SEXT8_32", "SDIV32", "TRUNC r3 r3 8");
}

static void atomics_carry_their_order(void **state) {
  (void)state;
  EXPECT(TARGET
         "@g = global i32 0\ndefine i32 @main() {\n  %v = load atomic i32, ptr @g acquire, align 4\n"
         "  %o = atomicrmw add ptr @g, i32 1 seq_cst\n  fence release\n  ret i32 %v\n}\n",
         "ATOMIC_LD r0 #0x200000010000 516", "ATOMIC_RMW", "{1, 1284}", "FENCE 3");
}

static void arguments_by_value_are_copied(void **state) {
  (void)state;
  EXPECT(TARGET
         "%s = type { [8 x i64] }\ndeclare void @f(ptr byval(%s))\n"
         "define i32 @main(ptr %p) {\n  call void @f(ptr byval(%s) align 8 %p)\n  ret i32 0\n}\n",
         "SPSAVE", "ALLOCA", "{64, 8}", "MEMCPY", "CALLX", "extern f", "SPRESTORE");
}

static void unwinding_reaches_the_landing_pad(void **state) {
  (void)state;
  EXPECT(TARGET
         "@t = global i8 1\ndeclare i32 @__gxx_personality_v0(...)\ndeclare void @f()\n"
         "define i32 @main() personality ptr @__gxx_personality_v0 {\n  invoke void @f() to label %ok unwind label %bad\n"
         "ok:\n  ret i32 0\nbad:\n  %l = landingpad { ptr, i32 } catch ptr @t\n  %s = extractvalue { ptr, i32 } %l, 1\n  ret i32 %s\n}\n",
         "extern f ( ) pad 0", "LANDINGPAD r0", "RET r1");
}

static void labels_in_data_point_at_their_blocks(void **state) {
  (void)state;
  const char *inputs[] = {source};
  static const char ir[] = TARGET
      "@t = constant [2 x ptr] [ptr blockaddress(@main, %a), ptr blockaddress(@main, %b)]\n"
      "define i32 @main(i64 %i) {\n  %p = getelementptr ptr, ptr @t, i64 %i\n  %l = load ptr, ptr %p\n"
      "  indirectbr ptr %l, [label %a, label %b]\na:\n  ret i32 1\nb:\n  ret i32 2\n}\n";
  struct image image;
  struct diag d = {0};
  write_text(source, ir, strlen(ir));
  assert_int_equal(load(inputs, 1, NULL, 0, &d), ERR_NONE);
  assert_int_equal(image_open(&image, output, &d), ERR_NONE);
  for (unsigned k = 0; k < 2; k++) {
    uint64_t label;
    memcpy(&label, image.data + 8 * k, 8);
    const union insn *at = &image.code[label - LABEL_BASE];
    assert_int_equal(at->op, OP_RET);
    assert_int_equal(image.constants[image.functions[0].constants + at->a - image.functions[0].slots], k + 1);
  }
  image_close(&image);
}

/* Definitions of the program win over a model's; what the program lacks comes from the model, marked as such. */
static void models_fill_gaps_and_yield(void **state) {
  (void)state;
  static const char model[] = "test_lower_model.ll", other[] = "test_lower_other.ll";
  static const char ir[] = TARGET
      "declare i32 @strlen(ptr)\ndefine i32 @abs(i32 %x) {\n  ret i32 7\n}\n"
      "define i32 @main(ptr %p) {\n  %v = call i32 @strlen(ptr %p)\n  %w = call i32 @abs(i32 %v)\n  ret i32 %w\n}\n";
  static const char models_ir[] = TARGET
      "define i32 @strlen(ptr %p) {\n  %v = call i32 @abs(i32 1)\n  ret i32 %v\n}\n"
      "define i32 @abs(i32 %x) {\n  ret i32 8\n}\n";
  static const char unused[] =
      TARGET "define i32 @never() {\n  ret i32 0\n}\ndefine void @main2() {\n  call void asm \"hlt\", \"\"()\n  ret void\n}\n";
  const char *inputs[] = {source}, *models[] = {other, model};
  struct image image;
  struct diag d = {0};
  write_text(source, ir, strlen(ir)), write_text(model, models_ir, strlen(models_ir)), write_text(other, unused, strlen(unused));
  if (load(inputs, 1, models, 2, &d) != ERR_NONE) fail_msg("%s", text_str(&d.message));
  assert_int_equal(image_open(&image, output, &d), ERR_NONE);
  assert_int_equal(image.nfunctions, 3);
  assert_int_equal(image.nexterns, 0);
  for (uint32_t i = 0; i < image.nfunctions; i++) {
    const struct image_function *f = &image.functions[i];
    assert_int_equal((f->flags & FUNCTION_MODEL) != 0, strcmp(image_string(&image, f->link_name), "strlen") == 0);
    if (strcmp(image_string(&image, f->link_name), "abs") == 0) assert_int_equal(image.constants[f->constants], 7);
  }
  image_close(&image);
  unlink(model), unlink(other);
}

static void debug_information_names_addresses_and_locals(void **state) {
  (void)state;
  const char *inputs[] = {LOWER_SAMPLE};
  struct image image;
  struct diag d = {0};
  struct text out = {0};
  if (load(inputs, 1, NULL, 0, &d) != ERR_NONE) fail_msg("%s", text_str(&d.message));
  assert_int_equal(image_open(&image, output, &d), ERR_NONE);
  const struct image_global *account = NULL;
  bool calls = false, amount = false;
  for (uint32_t i = 0; i < image.nglobals; i++) {
    if (strcmp(image_string(&image, image.globals[i].name), "account") == 0) account = &image.globals[i];
    calls |= (image.globals[i].flags & GLOBAL_TLS) && strcmp(image_string(&image, image.globals[i].name), "calls") == 0;
  }
  for (uint32_t i = 0; i < image.nlocals; i++) amount |= strcmp(image_string(&image, image.locals[i].name), "amount") == 0;
  assert_non_null(account);
  assert_true(calls);
  assert_true(amount);
  assert_true(image_address_text(&image, account->address + 2 * 16 + 8, 8, &out));
  assert_string_equal(text_str(&out), "account[2].balance");
  bool looping = false;
  for (uint32_t i = 0; i < image.nsites; i++) looping |= image.sites[i].line == 17 && (image.sites[i].flags & SITE_LOOP);
  assert_true(looping);
  text_release(&out);
  image_close(&image);
}

static void bad_programs_are_refused_in_one_line(void **state) {
  (void)state;
  refuse("", ERR_FORMAT, "empty");
  refuse("this is not IR\nat all\n", ERR_FORMAT, "test_lower.ll");
  refuse(TARGET "define i32 @start() {\n  ret i32 0\n}\n", ERR_FORMAT, "main");
  refuse("target triple = \"aarch64-linux-gnu\"\n" MAIN, ERR_UNSUPPORTED, "aarch64");
}

static void what_is_not_supported_is_refused_where_it_stands(void **state) {
  (void)state;
  EXPECT("define i32 @main() {\n  call void asm sideeffect \"hlt\", \"\"()\n  ret i32 0\n}\n",
         "REFUSE \"not supported: inline assembly \"hlt\"\"", "RET");
  EXPECT("define i32 @main(fp128 %x) {\n  %y = fadd fp128 %x, %x\n  ret i32 0\n}\n", "REFUSE \"not supported: values of type fp128");
  EXPECT("@x = external thread_local global i32\ndefine i32 @main() {\n  %v = load i32, ptr @x\n  ret i32 %v\n}\n",
         "REFUSE \"not supported: undefined thread-local variable 'x'");
  EXPECT("@x = external global i32\n@p = global ptr @x\ndefine i32 @main() {\n  %v = load i32, ptr @x\n  ret i32 %v\n}\n", "LD32");
}

static void truncated_bitcode_is_refused(void **state) {
  (void)state;
  struct text bytes = {0};
  struct diag d = {0};
  const char *inputs[] = {source};
  assert_int_equal(file_read(LOWER_SAMPLE, FILE_PROGRAM, &bytes, &d), ERR_NONE);
  for (size_t n = 4; n < bytes.count; n += bytes.count / 23 + 4) {
    write_text(source, bytes.data, n);
    assert_int_equal(load(inputs, 1, NULL, 0, &d), ERR_FORMAT);
    assert_non_null(strstr(text_str(&d.message), source));
  }
  diag_release(&d);
  text_release(&bytes);
}

static void a_missing_file_is_named(void **state) {
  (void)state;
  const char *inputs[] = {"no-such-file.bc"};
  struct diag d = {0};
  assert_int_equal(load(inputs, 1, NULL, 0, &d), ERR_FILE);
  assert_non_null(strstr(text_str(&d.message), "no-such-file.bc"));
  diag_release(&d);
}

static int nothing_leaks(void **state) {
  (void)state;
  unlink(source), unlink(output);
  assert_int_equal(mem_live(), 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_summing_loop_takes_four_words),
      cmocka_unit_test(swapped_phis_go_through_a_temporary),
      cmocka_unit_test(constant_offsets_fold_into_accesses),
      cmocka_unit_test(plain_accesses_are_neither_dropped_nor_merged),
      cmocka_unit_test(locals_that_do_not_escape_are_promoted),
      cmocka_unit_test(dense_switches_use_a_table),
      cmocka_unit_test(narrow_arithmetic_stays_canonical),
      cmocka_unit_test(atomics_carry_their_order),
      cmocka_unit_test(arguments_by_value_are_copied),
      cmocka_unit_test(unwinding_reaches_the_landing_pad),
      cmocka_unit_test(labels_in_data_point_at_their_blocks),
      cmocka_unit_test(models_fill_gaps_and_yield),
      cmocka_unit_test(debug_information_names_addresses_and_locals),
      cmocka_unit_test(bad_programs_are_refused_in_one_line),
      cmocka_unit_test(what_is_not_supported_is_refused_where_it_stands),
      cmocka_unit_test(truncated_bitcode_is_refused),
      cmocka_unit_test(a_missing_file_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, nothing_leaks);
}
