/* Nothing but what runs before the first thread. */
static volatile unsigned long sum;
int main(void) {
  for (unsigned long i = 0; i < 1000000000000ul; i++) sum += i;
  return 0;
}
