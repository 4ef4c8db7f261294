#!/bin/sh
# Witnesses in the machine: what it confirms has a schedule that shows the same finding; what it cannot run, or has no detector for, is
# carried out natively, which is said; a witness that the program does not follow is not confirmed.
# usage: witness-machine.sh HEDDLE FOLDER-OF-PROGRAMS
set -eu
heddle=$(realpath "$1") programs=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
cd "$work"
fail() { echo "$*"; exit 1; }
# predict NAME LEVEL: its witnesses
predict() {
  rm -f ./*.witness ./*.schedule
  "$heddle" cc -g "$2" -D_GNU_SOURCE "$programs/$1.c" -o program -pthread
  "$heddle" trace -o p.trace ./program >out 2>&1
  "$heddle" predict p.trace >report || true
}
# replays CODE ARGUMENTS
replays() {
  expected=$1 code=0
  shift
  "$heddle" replay "$@" >said 2>note </dev/null || code=$?
  [ $code = "$expected" ] || { cat said note; fail "replay $*: exit code $code"; }
}
in_machine() {
  file=heddle-$2-1.witness
  predict "$1" "$3"
  [ -s "$file" ] || fail "$1: no witness"
  replays 1 "$file"
  grep -q "^$2, confirmed: the machine shows it, by the schedule $file.schedule\$" said || { cat said; fail "$1: not in the machine"; }
  [ ! -s note ] || { cat note; fail "$1: a note"; }
  tail -n +3 said >shown
  grep -q "^$2: " shown || fail "$1: no report"
  replays 1 "$file.schedule"
  cmp said shown || fail "$1: the schedule has another report"
  printf 'continue\nquit\n' | "$heddle" replay --step "$file.schedule" >stepped || true
  grep -q 'thread 0' stepped || { cat stepped; fail "$1: no steps"; }
}
for level in -O0 -O2; do
  in_machine freed use-after-free $level
  in_machine pointer null-dereference $level
  in_machine lost lost-wakeup $level
  in_machine deadlock deadlock $level
  in_machine handover data-race $level
  in_machine race data-race $level
done

# Chosen.
file=heddle-data-race-1.witness
rm -f $file.schedule
replays 1 --native $file
grep -q '^data-race, confirmed: both threads stood' said && [ ! -s note ] && [ ! -e $file.schedule ] || fail "--native"
replays 1 --machine --json $file
grep -q '"by":"machine","confirmed":true,.*"schedule":"'$file.schedule'"' said || { cat said; fail "--json"; }
replays 2 --machine --native $file
grep -q 'exclude each other' note || fail "both ways"

# What does not come.
sed 's/^\(0\.2 acquire [0-9]*\)/\1 skip=7/' $file >other
replays 3 --machine other
grep -q '^data-race, not confirmed: in the machine, it is left behind [0-9]* of 9 steps: thread 0.2 should do acquire at ' said || { cat said; fail "a step that does not come"; }
sed 's/^\(0\.1 write [0-9]*\) at=.*/\1/; s/^\(0\.2 write\) [0-9]*/\1 0/' $file >other
replays 3 --machine other
grep -q 'thread 0.2 should do write at an unknown place' said || { cat said; fail "an end that does not come"; }
[ ! -e other.schedule ] || fail "a schedule of what was not confirmed"
sed 's/^found .*/found "deadlock"/' $file >other
replays 3 --machine other
grep -q '^deadlock, not confirmed: in the machine, all steps were done, but no detector' said || { cat said; fail "another finding"; }
head -c 300 $file >other
replays 2 --machine other
[ "$(grep -c '^heddle: ' note)" = 1 ] || { cat note; fail "a damaged witness"; }
sed 's#^program .*#program "/nonexistent"#' $file >other
replays 2 --machine other
[ "$(grep -c '^heddle: ' note)" = 1 ] || { cat note; fail "no program"; }

# What the machine cannot run, and what it does not see.
predict socket -O1
replays 1 heddle-data-race-1.witness
grep -q '^data-race, confirmed: both threads stood' said || { cat said; fail "not natively"; }
grep -q '^heddle: note: carried out natively; in the machine, .*socketpair is not supported' note || { cat note; fail "no reason"; }
replays 3 --machine heddle-data-race-1.witness
predict nested -O1
replays 1 heddle-atomicity-violation-2.witness
grep -q '^heddle: note: carried out natively; in the machine, it has no detector' note || { cat note; fail "no reason"; }
