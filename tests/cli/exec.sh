# heddle exec is the program: its output, its input, its exit code.
. "$(dirname "$0")/lib.sh"

cat >x.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char line[100];
  for (int i = 1; i < argc; i++) printf("%s;", argv[i]);
  while (fgets(line, sizeof line, stdin)) printf("<%s>", line);
  fputs("aside\n", stderr);
  if (argc > 1 && strcmp(argv[1], "abort") == 0) abort();
  if (argc > 1 && strcmp(argv[1], "leak") == 0) return ((char *)malloc(1))[5];
  return argc;
}
END
run exec x.c -- one --json </dev/null
expect_code 3
[ "$(cat out)" = "one;--json;" ] || fail "output: $(cat out)"
expect_line err "aside"
printf 'a\nb\n' >in
run exec --input in x.c
expect_code 1
[ "$(cat out)" = "$(printf '<a\n><b\n>')" ] || fail "input: $(cat out)"
printf 'p\n' | "$heddle" exec x.c >out 2>err
[ "$(cat out)" = "$(printf '<p\n>')" ] || fail "input from a pipe: $(cat out)"
run exec x.c -- abort </dev/null
expect_code 134
expect_in err "heddle: abort at x.c:9"
run exec x.c -- leak </dev/null
expect_code 1
expect_in err "heddle: out-of-bounds at x.c:10"
run exec nowhere.c
expect_code 2

crossed y.c
run exec y.c
expect_code 0
expect_line out "begin"
done_testing
