// output: native
// A user who does not exist: no result, and no error.
#include <pwd.h>
#include <stdio.h>

int main(void) {
  struct passwd entry, *found = &entry;
  char buffer[256];
  printf("%d\n", getpwnam("no-such-user-here") == 0);
  printf("%d\n", getpwuid(987654321) == 0);
  printf("%d %d\n", getpwnam_r("no-such-user-here", &entry, buffer, sizeof buffer, &found), found == 0);
  return 0;
}
