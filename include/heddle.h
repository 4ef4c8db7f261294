/* heddle.h: what a program can tell Heddle. Harmless in a native build without Heddle if HEDDLE_NATIVE is defined. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The program is wrong if `condition` is false. */
void hd_assert(int condition);
/* Executions in which `condition` is false do not count. */
void hd_assume(int condition);
/* Any of 0 .. n-1; all of them are explored. n > 0. */
unsigned hd_choose(unsigned n);
/* The `size` bytes at `data` can be any; all of them are explored. Reports call them `name`. Natively: some. */
void hd_symbolic(void *data, unsigned long size, const char *name);

/* HD_ACTION(name, argument, ...) at the top of a function's body: until it is left, by whatever way, the thread is within the action of
 * that name, of a specification for `heddle run` (heddle-run(1)). The arguments are those of the specification: pointers and integers, up
 * to six. Nothing comes of it where nobody looks, with Heddle or without. */
void hd_action_begin(const char *name, unsigned n, const unsigned long *arguments, const void *mark) __attribute__((weak));
void hd_action_end(const void *mark) __attribute__((weak));
static inline __attribute__((unused)) void hd_action_leave_(char *mark) {
  if (hd_action_end) hd_action_end(mark);
}
#define HD_1_(a)                                (unsigned long)(a)
#define HD_2_(a, ...)                           (unsigned long)(a), HD_1_(__VA_ARGS__)
#define HD_3_(a, ...)                           (unsigned long)(a), HD_2_(__VA_ARGS__)
#define HD_4_(a, ...)                           (unsigned long)(a), HD_3_(__VA_ARGS__)
#define HD_5_(a, ...)                           (unsigned long)(a), HD_4_(__VA_ARGS__)
#define HD_6_(a, ...)                           (unsigned long)(a), HD_5_(__VA_ARGS__)
#define HD_WORDS_(a, b, c, d, e, f, words, ...) words
#define HD_ACTION(name, ...)                                                                                             \
  __attribute__((cleanup(hd_action_leave_), unused)) char hd_action_##name##_ = 0;                                       \
  if (hd_action_begin) {                                                                                                 \
    const unsigned long hd_words_[] = {HD_WORDS_(__VA_ARGS__, HD_6_, HD_5_, HD_4_, HD_3_, HD_2_, HD_1_, )(__VA_ARGS__)}; \
    hd_action_begin(#name, sizeof hd_words_ / sizeof hd_words_[0], hd_words_, &hd_action_##name##_);                     \
  }

/* HD_EVENT("name", argument, ...): the program is here. Properties name such places as `at mark name(argument, ...)` (heddle-property(5)):
 * pointers and integers, up to six. Nothing comes of it where nobody looks, with Heddle or without. */
void hd_event(const char *name, unsigned n, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
              unsigned long f) __attribute__((weak));
#define HD_EVENT_COUNT_(name, a, b, c, d, e, f, n, ...) n
#define HD_EVENT_(n, name, a, b, c, d, e, f, ...)                                                                                          \
  ((void)(hd_event ? hd_event(name, n, (unsigned long)(a), (unsigned long)(b), (unsigned long)(c), (unsigned long)(d), (unsigned long)(e), \
                              (unsigned long)(f))                                                                                          \
                   : (void)0))
#define HD_EVENT(...) HD_EVENT_(HD_EVENT_COUNT_(__VA_ARGS__, 6, 5, 4, 3, 2, 1, 0, 0), __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

/* An object for `heddle check --linearizable` (docs/objects.md), in place of main(): how it is made, what can be done with it, and in which
 * abstract state it is. All but HD_BEGIN and one operation may be left out. Parameters are integers, and so is the result.
 *
 *   static struct queue *q;
 *   HD_BEGIN(void) { q = queue_new(2); }
 *   HD_OPERATION(put, int x) { return queue_put(q, x); }
 *   HD_OPERATION(get) { return queue_get(q); }
 *   HD_STATE { return hd_hash_sequence(q->items, queue_size(q)); }
 *   HD_END(void) { queue_free(q); }
 */
#ifdef __cplusplus
#define HD_C_ extern "C"
#else
#define HD_C_
#endif
#define HD_DEFINE_(type, name, ...) \
  HD_C_ type name(__VA_ARGS__);     \
  HD_C_ __attribute__((noinline, used)) type name(__VA_ARGS__)
#define HD_BEGIN(...)           HD_DEFINE_(void, hd_begin, void)
#define HD_END(...)             HD_DEFINE_(void, hd_end, void)
#define HD_STATE                HD_DEFINE_(unsigned long, hd_state, void)
#define HD_OPERATION(name, ...) HD_DEFINE_(long, hd_operation_##name, __VA_ARGS__)

/* States as numbers: of a sequence of numbers or other plain elements, and of a state and what comes on top of it. */
static inline __attribute__((unused)) unsigned long hd_hash(unsigned long state, unsigned long with) {
  unsigned long x = (state ^ 0x9e3779b97f4a7c15ul) * 0xd6e8feb86659fd93ul + with;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ul;
  return x ^ (x >> 29);
}
static inline __attribute__((unused)) unsigned long hd_hash_bytes(const void *bytes, unsigned long size) {
  unsigned long state = size;
  for (unsigned long i = 0; i < size; i++) state = hd_hash(state, ((const unsigned char *)bytes)[i]);
  return state;
}
#define hd_hash_sequence(elements, n) hd_hash_bytes((elements), (unsigned long)(n) * sizeof *(elements))

#ifdef HEDDLE_NATIVE
#include <stdlib.h>
static inline void hd_native_assert_(int condition) {
  if (!condition) abort();
}
static inline void hd_native_assume_(int condition) {
  if (!condition) exit(0);
}
static inline void hd_native_symbolic_(void *data, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) ((unsigned char *)data)[i] = (unsigned char)rand();
}
#define hd_assert(condition)          hd_native_assert_(!!(condition))
#define hd_assume(condition)          hd_native_assume_(!!(condition))
#define hd_choose(n)                  ((unsigned)rand() % (n))
#define hd_symbolic(data, size, name) hd_native_symbolic_(data, size)
#endif

#ifdef __cplusplus
}
#endif
