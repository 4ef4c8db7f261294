#!/bin/sh
# Witness files: each byte changed in turn, and the file cut at each length, is an error or another witness, never a crash; a witness that
# asks for what does not happen is not confirmed, and says where it was left.
# usage: witness.sh HEDDLE SOURCE
set -eu
heddle=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
cd "$work"
fail() { echo "$*"; exit 1; }
"$heddle" cc -g -O1 "$source" -o program -pthread
"$heddle" trace -o p.trace ./program 2>/dev/null
"$heddle" predict p.trace >report || true
file=heddle-data-race-1.witness
[ -s $file ] || fail "no witness"
code=0
"$heddle" replay $file >said || code=$?
[ $code = 1 ] && grep -q '^data-race, confirmed: ' said || { cat said; fail "not confirmed: $code"; }

# Damaged: the program is not there, so that what can be read ends at once.
size=$(wc -c <$file)
sed 's#^program .*#program "/nonexistent"#' $file >whole
i=0
while [ $i -lt "$size" ]; do
  head -c $i $file >cut
  code=0
  "$heddle" replay cut >said 2>&1 || code=$?
  [ $code = 2 ] && [ "$(grep -c '^heddle: ' said)" = 1 ] || { cat said; fail "cut at $i: exit code $code"; }
  { head -c $i whole; printf '~'; tail -c +$((i + 2)) whole; } >changed
  code=0
  "$heddle" replay changed >said 2>&1 || code=$?
  [ $code = 2 ] && [ "$(grep -c '^heddle: ' said)" = 1 ] || { cat said; fail "changed at $i: exit code $code"; }
  i=$((i + ${EACH:-7}))
done

# Steps that do not come.
unconfirmed() {
  code=0
  "$heddle" replay --limit=1 other >said 2>&1 || code=$?
  [ $code = 3 ] && grep -q '^data-race, not confirmed: ' said && grep -q "$1" said || { cat said; fail "$2: exit code $code"; }
}
sed 's/^\(0\.2 acquire [0-9]*\)/\1 skip=7/' $file >other
unconfirmed "at step [0-9]* of [0-9]*, thread 0.2's at " "a step that does not come"
awk '/^0\.2 acquire/ { held = $0; next } { print } /^0\.2 release/ { if (held) print held; held = "" }' $file >other
unconfirmed "at step" "steps in another order than the program's"
# Both ends at one thread's access, which conflicts with nothing.
sed '/^ends/,$s/^0\.2 write [0-9]*/0.2 write 0/' $file >other
unconfirmed "before thread 0.2 came to" "an end that does not come"
