// Values of all widths that __VERIFIER_nondet_*() give: each is one of many, and wanted.
// verdict: BUG
// finding: assertion A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
char __VERIFIER_nondet_char(void);
unsigned short __VERIFIER_nondet_ushort(void);
long __VERIFIER_nondet_long(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
unsigned long __VERIFIER_nondet_size_t(void);
long __VERIFIER_nondet_loff_t(void);
void *__VERIFIER_nondet_pointer(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void reach_error(void);

static int object;

int main(void) {
  int (*draw)(void) = (int (*)(void))__VERIFIER_nondet_char; /* called by its address */
  signed char c = (signed char)draw();
  unsigned short s = __VERIFIER_nondet_ushort();
  long l = __VERIFIER_nondet_long(), offset = __VERIFIER_nondet_loff_t();
  unsigned long long u = __VERIFIER_nondet_ulonglong();
  unsigned long n = __VERIFIER_nondet_size_t();
  void *p = __VERIFIER_nondet_pointer();
  __VERIFIER_assume(n < 1000);
  if (c != -77 || s != 40000 || l != -123456789012) return 0;
  if (u != 0xfedcba9876543210 || n * 3 != 2997) return 0;
#ifdef FIXED
  if (offset > 5 && offset < 5) reach_error();
#else
  if (offset < -5 && p == &object && __VERIFIER_nondet_bool()) reach_error(); // @A
#endif
  return 0;
}
