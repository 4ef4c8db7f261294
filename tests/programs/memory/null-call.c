// Calls a function pointer that nobody set.
// verdict: BUG
// finding: null-dereference A
// case: fixed -DFIXED
// verdict: SAFE

static int answer(void) { return 42; }
#ifdef FIXED
static int (*volatile hook)(void) = answer;
#else
static int (*volatile hook)(void);
#endif

int main(void) {
  int (*f)(void) = answer;
  int first = f();
  f = hook;
  return f() - first;  // @A
}
