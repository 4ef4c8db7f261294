// Uses a local variable of a function that has returned.
// verdict: BUG
// finding: use-after-free A
// case: fixed -DFIXED
// verdict: SAFE

static int *volatile kept;

static void remember(int value) {
#ifdef FIXED
  static int local;
#else
  int local;
#endif
  local = value;
  kept = &local;
}

int main(void) {
  remember(9);
  int value = *kept;  // @A
  return value != 9;
}
