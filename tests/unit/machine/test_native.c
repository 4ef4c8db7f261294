/* Native functions give what the host's library gives, in every way of passing arguments and results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rig.h"

/* The operands are volatile: nothing is folded. Each line must hold of the host's C library too. */
static void functions_of_each_shape_give_the_right_values(void **state) {
  (void)state;
  expect_codes(
      "#define _GNU_SOURCE\n#include <math.h>\n"
      "volatile double d = 2.25; volatile float f = 2.25f; volatile long double l = 2.25L; volatile int n = 3;\n"
      "int main(void) { int e; double whole; float wholef; long double wholel; double s, c;\n"
      "if (expm1(d - 2.25) != 0 || cbrtf(f * 12) != 3.0f || cbrtl(l * 12) != 3.0L) return 1;\n"
      "if (fmod(d, 2.0) != 0.25 || fmodf(f, 2.0f) != 0.25f || fmodl(l, 2.0L) != 0.25L) return 2;\n"
      "if (hypot(d * 4, 12.0) != 15.0 || hypotl(l * 4, 12.0L) != 15.0L) return 3;\n"
      "if (ldexp(d, n) != 18.0 || scalbnf(f, n) != 18.0f || ldexpl(l, n) != 18.0L) return 4;\n"
      "if (frexp(d, &e) != 0.5625 || e != 2 || frexpl(l, &e) != 0.5625L || e != 2) return 5;\n"
      "if (modf(-d, &whole) != -0.25 || whole != -2 || modff(f, &wholef) != 0.25f || wholef != 2) return 6;\n"
      "if (modfl(l, &wholel) != 0.25L || wholel != 2) return 7;\n"
      "if (lround(-d) != -2 || lroundl(l) != 2 || ilogb(d / 16) != -3) return 8;\n"
      "sincos(d - 2.25, &s, &c); if (s != 0 || c != 1) return 9;\n"
      "if (remquo(d, 1.0, &e) != 0.25 || (e & 7) != 2) return 10;\n"
      "if (lgamma_r(d - 0.25, &e) != 0 || e != 1 || jn(0, d - 2.25) != 1) return 11;\n"
      "if (nexttoward(d, (long double)d) != d || fma(d, 4.0, 1.0) != 10.0 || fmal(l, 4.0L, 1.0L) != 10.0L) return 12;\n"
      "return 0; }\n",
      1 << 0);
}

static void complex_numbers_pass_as_pairs(void **state) {
  (void)state;
  expect_codes(
      "#include <complex.h>\nvolatile double re = 3, im = 4; volatile float ref = 3, imf = 4;\n"
      "int main(void) { double complex z = re + im * I, w = z * z, q = w / z; float complex y = ref + imf * I, v = conjf(y);\n"
      "if (cabs(z) != 5 || creal(w) != -7 || cimag(w) != 24 || creal(q) != 3 || cimag(q) != 4) return 1;\n"
      "if (cabsf(y) != 5 || crealf(v) != 3 || cimagf(v) != -4) return 2;\n"
      "z = csqrt(w); return creal(z) == 3 && cimag(z) == 4 ? 0 : 3; }\n",
      1 << 0);
}

static void results_go_only_where_the_program_may_write(void **state) {
  (void)state;
  expect_only_finding("#include <math.h>\nint main(void) { int *volatile p = 0; return (int)frexp(2.0, p); }\n", FINDING_NULL_DEREFERENCE,
                      "write");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_of_each_shape_give_the_right_values),
      cmocka_unit_test(complex_numbers_pass_as_pairs),
      cmocka_unit_test(results_go_only_where_the_program_may_write),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
