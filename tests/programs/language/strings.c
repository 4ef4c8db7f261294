// output: native
// string.h and ctype.h.
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
  char buffer[64] = "The quick brown fox";
  printf("%zu %zu\n", strlen(buffer), strnlen(buffer, 5));
  printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strncmp("abc", "abd", 2)), sign(memcmp("\xff", "\x01", 1)), sign(strcasecmp("ABC", "abd")));
  strcat(buffer, " jumps");
  strncat(buffer, " over the dog", 5);
  printf("%s\n", buffer);
  printf("%td %td %td %s\n", strchr(buffer, 'q') - buffer, strrchr(buffer, 'o') - buffer, strstr(buffer, "brown") - buffer,
         strpbrk(buffer, "xyz"));
  printf("%zu %zu\n", strspn("12ab", "123"), strcspn("ab12", "123"));
  char list[] = "one,two;;three", *save = 0;
  for (char *t = strtok_r(list, ",;", &save); t; t = strtok_r(0, ",;", &save)) printf("<%s>", t);
  printf("\n");
  memmove(buffer + 4, buffer, 10);
  memset(buffer, '*', 3);
  printf("%s\n", buffer);
  printf("%s %d\n", (char *)memchr("hello", 'l', 5), memchr("hello", 'z', 5) == 0);
  char *copy = strdup("duplicate"), *part = strndup("duplicate", 3);
  printf("%s %s %s\n", copy, part, stpcpy(copy, "x") - 1);
  free(copy);
  free(part);
  for (int c = 0; c < 128; c += 9)
    printf("%d%d%d%d%d%d%d%d ", !!isalpha(c), !!isdigit(c), !!isspace(c), !!isupper(c), !!ispunct(c), !!isxdigit(c), !!iscntrl(c), tolower(c));
  printf("\n");
  char fill[8];
  strncpy(fill, "ab", sizeof fill);
  for (int i = 0; i < 8; i++) printf("%d ", fill[i]);
  printf("\n%s\n", strerror(2));
  return 0;
}
