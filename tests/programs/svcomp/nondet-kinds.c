// Every kind of nondeterministic value: any, or one of a stated finite set that contains 0 and 1.
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-sample -DFIXED
// verdict: BOUNDED
// options: --data=sample
// case: sample
// verdict: BUG
// finding: assertion A
// options: --data=sample
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void) {
  int b = __VERIFIER_nondet_bool();
  char c = __VERIFIER_nondet_char();
  __VERIFIER_assume(c == 0 || c == 1);
  unsigned char d = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(d <= 1);
  short s = __VERIFIER_nondet_short();
  __VERIFIER_assume(s == 1);
  unsigned u = __VERIFIER_nondet_uint();
  __VERIFIER_assume(u == 1);
  long l = __VERIFIER_nondet_long();
  __VERIFIER_assume(l == 0);
  unsigned long m = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(m <= 1);
  long sum = b + c + d + s + (long)u + l + (long)m;
#ifdef FIXED
  __VERIFIER_assert(sum >= 2 && sum <= 6);
#else
  __VERIFIER_assert(sum != 6);  // @A
#endif
  return 0;
}
