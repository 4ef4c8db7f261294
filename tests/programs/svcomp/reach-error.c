// An SV-COMP task as they come: preprocessed declarations, nondeterministic input, reach_error().
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-sample -DFIXED
// verdict: BOUNDED
// options: --data=sample
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x >= 0 && x < 4);
#ifdef FIXED
  if (x > 3)
#else
  if (x == 1)
#endif
    reach_error();  // @A
  return 0;
}
