// The result of a search is used without a test.
// verdict: BUG
// finding: null-dereference A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>

struct entry {
  int key, value;
};

static struct entry table[2] = {{1, 10}, {2, 20}};

static struct entry *find(int key) {
  for (int i = 0; i < 2; i++)
    if (table[i].key == key) return &table[i];
  return 0;
}

int main(void) {
  struct entry *e = find(1 + (int)hd_choose(3));
#ifdef FIXED
  if (!e) return 0;
#endif
  return e->value < 10;  // @A
}
