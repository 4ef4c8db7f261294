/* Floating point as circuits: what each operator of value/real.h is over literals, for any format. Only for src/value.
 *
 * Nothing here knows the two formats of programs: with three bits of exponent and four of significand all operands can be tried. A format
 * has at least three bits of exponent, and a significand of at least two. Results are rounded to nearest, ties to even; NaN has one word
 * (real_bits.h). Words have as many literals as the format has bits, from the lowest up; `out` is no operand. */
#pragma once
#include "value/gates.h"
#include "value/real_bits.h"

void real_word_add(struct gates *g, struct real_format f, const struct lit *a, const struct lit *b, struct lit *out);
void real_word_multiply(struct gates *g, struct real_format f, const struct lit *a, const struct lit *b, struct lit *out);
void real_word_divide(struct gates *g, struct real_format f, const struct lit *a, const struct lit *b, struct lit *out);
void real_word_root(struct gates *g, struct real_format f, const struct lit *a, struct lit *out);
/* To the integer that `mode` says. */
void real_word_round(struct gates *g, struct real_format f, enum real_mode mode, const struct lit *a, struct lit *out);
/* To another format. */
void real_word_convert(struct gates *g, struct real_format from, struct real_format to, const struct lit *a, struct lit *out);
/* To a signed integer of `width` bits, which are not fewer than the significand's: toward zero, and the least one if it does not fit. */
void real_word_to_signed(struct gates *g, struct real_format f, const struct lit *a, unsigned width, struct lit *out);
/* From an integer of `width` bits. */
void real_word_from_integer(struct gates *g, struct real_format f, bool is_signed, unsigned width, const struct lit *a, struct lit *out);
