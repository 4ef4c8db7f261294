// What nl_langinfo() says in the C locale.
// output: native
#include <langinfo.h>
#include <stdio.h>

int main(void) {
  for (nl_item i = ABDAY_1; i <= T_FMT_AMPM; i++) printf("%s\n", nl_langinfo(i));
  printf("<%s> <%s> <%s> <%s> <%s>\n", nl_langinfo(RADIXCHAR), nl_langinfo(THOUSEP), nl_langinfo(CRNCYSTR), nl_langinfo(YESEXPR),
         nl_langinfo(ERA));
  return 0;
}
