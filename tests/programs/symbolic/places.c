// Stores at an index that is an input: what is there afterwards depends on all indices, and is asked for all of them at once.
// verdict: SAFE
// executions: 1
// case: letters
// verdict: BUG
// cflags: -DLETTERS
// finding: assertion A
// case: outside
// verdict: BUG
// cflags: -DOUTSIDE
// finding: out-of-bounds B
// case: last
// verdict: BUG
// cflags: -DLAST
// finding: assertion C
// case: fields
// verdict: SAFE
// cflags: -DFIELDS
// executions: 2
// case: unset
// verdict: BUG
// cflags: -DUNSET
// finding: uninitialised D
#include <heddle.h>

struct pair {
  short key;
  int value;
};

int main(void) {
  unsigned char text[6], place, other;
  hd_symbolic(text, sizeof text, "text");
  hd_symbolic(&place, 1, "place");
  hd_symbolic(&other, 1, "other");
#ifdef FIELDS /* each has all of its bytes from one store */
  hd_assume(place < 8 && other < 8);
  struct pair pairs[8] = {{0, 0}};
  pairs[place].key = 7, pairs[place].value = 70000;
  pairs[other].value += 5;
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += pairs[i].key * pairs[i].value;
  hd_assert(sum == 490000 || (place == other && sum == 490035));
#elif defined UNSET /* whether it was written depends on the index */
  hd_assume(place < 4 && other < 4);
  unsigned char set[4];
  set[place] = 3;
  if (set[other] == 3) return 1; /* @D */
#else
  unsigned count[256] = {0};
  for (int i = 0; i < 6; i++) count[text[i]]++;
#ifdef OUTSIDE
  volatile unsigned char small[200] = {0};
  small[place] = 1; /* @B */
#endif
#ifdef LETTERS
  hd_assert(count['a'] != 3 || count['b'] != 3); /* @A */
#elif defined LAST
  count[place] = count[other] + 1;
  hd_assert(count['x'] != 7); /* all six, and one more; @C */
#else
  hd_assert(count['a'] + count['b'] <= 6);
  hd_assert(count[place] <= 6);
#endif
#endif
  return 0;
}
