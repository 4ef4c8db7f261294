# Files that somebody else wrote: they run nothing, write nothing, and whatever a name leads to, the answer comes at once.
. "$(dirname "$0")/lib.sh"

racy x.c
run check -o s x.c
expect_code 1

# with_flags WORD..: the schedule "evil" is "s", and asks for these words of the compiler.
with_flags() {
  sed '/^program /q' s >evil
  for word in "$@"; do echo "flag $word" >>evil; done
  sed '1,/^program /d' s >>evil
}
# What is in the folder, and the size of each.
listing() { find . -type f ! -name before ! -name after ! -name out ! -name err ! -name evil -printf '%p %s\n' | sort; }

# A library that leaves a trace of being loaded.
echo 'int creat(const char *, unsigned); __attribute__((constructor)) static void load(void) { creat("was-loaded", 0600); }' >plugin.c
${CC:-cc} -shared -fPIC -o plugin.so plugin.c
echo '-fplugin=./plugin.so' >words
echo 'int main(void) { return 0; }' >empty.c
mkdir below tools
printf '#!/bin/sh\necho >>%s/was-run\nexec "$@"\n' "$work" >wrapper
chmod +x wrapper
cp wrapper tools/as
cp wrapper tools/clang-19
touch below/header.h below/at.h

# The same words do harm when they are trusted: what follows tests something.
with_flags -fplugin=./plugin.so
run replay --trust evil
[ -e was-loaded ] || fail "the library was not loaded, though it was trusted"
rm -f was-loaded
with_flags -serialize-diagnostics written
run replay --trust evil
[ -e written ] || fail "nothing was written, though it was trusted"
rm -f written

listing >before
# Flags that run, load, write or read something else.
refused() {
  with_flags "$@"
  run replay evil
  expect_code 2
  expect_in err "heddle: evil asks for what needs trust: flag "
  expect_in err "pass --trust"
  expect_empty out
  listing >after
  expect_same before after
}
refused -fplugin=./plugin.so
refused -fpass-plugin=./plugin.so
refused -load ./plugin.so
refused -Xclang -load -Xclang ./plugin.so
refused -Xclang=-load
refused -Xpreprocessor -MD
refused -mllvm -load=./plugin.so
refused -serialize-diagnostics written
refused --serialize-diagnostics written
refused -ftime-trace=written.json
refused -ftime-trace
refused -save-temps
refused -save-temps=obj
refused --save-temps
refused -fsave-optimization-record
refused -foptimization-record-file=written
refused -fprofile-generate=.
refused -fprofile-instr-generate=written
refused -fcrash-diagnostics-dir=.
refused -gen-reproducer=always
refused -fmodules-cache-path=.
refused -fmodules
refused -fproc-stat-report=written
refused -gsplit-dwarf
refused -MF written
refused -MMD
refused -MJ written
refused -Wp,-MD,written
refused -Wa,-o,written
refused -Wl,-o,written
refused -o written
refused -owritten
refused --output=written
refused -E
refused -S
refused -wrapper ./wrapper
refused -B tools
refused -Btools
refused -B./tools/
refused -fno-integrated-as
refused -fno-integrated-cc1
refused -specs=words
refused --config=words
refused --config-user-dir=.
refused --sysroot=.
refused -isysroot .
refused -ivfsoverlay words
refused -include-pch words
refused -imacros words
refused -iquote /etc
refused -idirafter /etc
refused @words
refused -D @words
refused -fuse-ld=./wrapper
refused -x ir
refused -xassembler-with-cpp
refused -fsanitize-ignorelist=/etc/passwd
refused -dependency-file written
refused -vectorize-loops
# Words that stand for two, and hide a third: the compiler never sees what the linker gets.
refused -D -Wl,x -D -fplugin=./plugin.so
refused -D -fplugin=./plugin.so
refused -I -fplugin=./plugin.so
refused -D
# Headers of other folders.
refused -I /etc
refused -I/etc
refused -I..
refused -Ibelow/../..
refused -isystem /
refused -include /etc/passwd
refused -include ../x
refused -I=/etc
ln -s /etc elsewhere
refused -Ielsewhere
# A program whose name is an option or a file of options.
cp plugin.so ./-fplugin=plugin.c
cp words words.c
listing >before
for program in ./-fplugin=plugin.c -fplugin=plugin.c @words.c -plugin.so; do
  sed "s|^program .*|program $program|" s >evil
  run replay evil
  expect_code 2
  listing >after
  expect_same before after
done
# Native calls.
sed '/^program /a allow system' s >evil
run replay evil
expect_complaint "evil asks for what needs trust: allow system"
run replay --trust evil
expect_code 1

# A count of steps costs nothing to write.
n=$(sed -n 's/^steps //p' s)
sed "s/^steps .*/steps $((n + 4294967294))/; s/^step 0 fork /step 0 x4294967295 fork /" s >evil
run replay evil
expect_complaint "evil:$(wc -l <evil): there are more steps than an execution can have"
# A terminal does what it is told: names and messages tell it nothing.
sed 's/^message .*/message "\\u001b]0;title\\u0007\\u001b[2Jdone"/; s/^program .*/program "\\u001b[8mx.c"/' s >evil
run show evil
expect_code 0
expect_in out "for ?[8mx.c"
expect_in out "?]0;title??[2Jdone"
run replay evil
expect_complaint "cannot open ?[8mx.c: No such file or directory"
sed '/^program /a flag "\\u001b[8m-fplugin=./plugin.so"' s >evil
run replay evil
expect_complaint "evil asks for what needs trust: flag ?[8m-fplugin=./plugin.so"

# What people build with needs no trust.
with_flags -DNAME -D OTHER=1 -D "A=@x" '"-DTEXT=\"a b\""' -UNAME -Ibelow -I below -I. -isystem below -include below/header.h -include below/at.h \
  -I below/not-yet -I"$work/below" -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror=format=2 -w -pedantic -fno-strict-aliasing \
  -fwrapv -fPIC -march=x86-64-v2 -mno-avx -pthread -x c -xc
run replay evil
expect_code 1
expect_in out "data-race"

# The sandbox of check holds, whatever comes along.
cat >escape.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int execl(const char *, const char *, ...);
void *dlopen(const char *, int);
long syscall(long, ...);
int main(int argc, char **argv) {
  (void)argc, (void)argv;
  HARM;
  return 0;
}
END
for harm in 'system("touch harmed")' 'execl("/bin/touch", "touch", "harmed", (char *)0)' 'dlopen("./plugin.so", 1)' \
  'syscall(83, "harmed", 0700)' 'unlink("x.c")' 'truncate("x.c", 0)' \
  'write(open("harmed", O_CREAT | O_RDWR, 0600), "x", 1)'; do
  clang-19 -g -O1 -emit-llvm -c -D"HARM=$harm" escape.c -o escape.bc
  listing >before
  run check --no-schedule -D"HARM=$harm" escape.c # some are refused, some do it to files that only the program has
  run check --no-schedule escape.bc
  listing >after
  expect_same before after
done

run check --no-schedule -D'HARM=system("touch harmed")' escape.c
expect_code 2
expect_in err "system is not supported: a new process would not be explored"

# Bitcode with one bit changed, on which LLVM 19 crashes, or goes round in circles. (Another one may refuse or even accept it.)
cp "$root"/tests/cli/damaged/*.bc .
for file in crashes.bc circles.bc; do
  ran="heddle check $file"
  (
    ulimit -S -t 1
    exec "$heddle" check --no-schedule $file >out 2>err
  )
  code=$?
  [ $code = 2 ] && expect_in err "heddle: $file is "
  [ $code = 2 ] || [ $code = 0 ] || fail "$ran: exit code $code"
  expect_not_in err "without a message"
done
run cc -g -c x.c -o x.o
run show x.o
size=$(wc -c <x.o)
for at in $((size / 4)) $((size / 3)) $((size / 2)) $((size * 2 / 3)); do
  cp x.o changed.o
  printf '\377' | dd of=changed.o bs=1 seek=$at conv=notrunc 2>/dev/null
  run check --no-schedule changed.o
  [ "$code" = 1 ] || expect_in err "heddle: changed.o"
done

# Names that lead to something without an end: the answer comes at once.
mkfifo pipe pipe.c
ln -s /dev/zero zero.c
at_once() { # MESSAGE ARGUMENT..
  message=$1
  shift
  ran="heddle $*"
  timeout 5 "$heddle" "$@" >out 2>err </dev/zero
  code=$?
  expect_complaint "$message"
}
for command in replay show check; do
  for device in /dev/zero zero.c /dev/stdin /dev/tty; do at_once "$device is a device, not a file" $command $device; done
  for name in pipe pipe.c; do at_once "$name is a pipe, not a file" $command $name; done
  for name in below .; do at_once "$name is a folder, not a file" $command $name; done
  timeout 5 "$heddle" $command /dev/null >out 2>err
  [ $? = 2 ] || fail "$command /dev/null: another code"
done
truncate -s 10G large large.c
for head in 'heddle schedule 1\n' 'HEEDIMG1' '\177ELF' 'BC\300\336'; do
  printf "$head" | dd of=large conv=notrunc 2>/dev/null
  at_once "large is too large: it has more than 256 MB" replay large
  at_once "large is too large: it has more than 2048 MB" show large
  at_once "large is too large: it has more than 2048 MB" check large
done
at_once "large.c is too large: it has more than 256 MB" check large.c
for option in --input --file; do
  at_once "/dev/zero is too large: it has more than 256 MB" check $option=/dev/zero x.c
  at_once "large is too large: it has more than 256 MB" check $option=large x.c
  at_once ". is a folder, not a file" check $option=. x.c
done
for key in input readable; do
  for name in pipe /dev/zero /dev/tty; do
    sed "/^program /a $key $name" s >evil
    timeout 5 "$heddle" replay evil >out 2>err
    [ $? = 2 ] || fail "replay with $key $name: another code"
    expect_in err ", not a file"
  done
  sed "/^program /a $key /dev/null" s >evil
  run replay evil
  expect_code 1
done
for option in --suppressions --spec; do
  at_once "/dev/zero is a device, not a file" run $option=/dev/zero /bin/true
  at_once "$work/pipe is a pipe, not a file" run $option=pipe /bin/true
  at_once "$work/large is too large: it has more than 256 MB" run $option=large /bin/true
done
done_testing
