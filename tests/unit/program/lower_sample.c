/* Compiled to bitcode for test_lower: names and types from debug information. */
struct account {
  int id;
  long balance;
};
struct account account[4];
static _Thread_local int calls;

static long pay(struct account *to, long amount) {
  to->balance += amount;
  calls++;
  return to->balance;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < argc; i++) pay(&account[i], i);
  return 0;
}
