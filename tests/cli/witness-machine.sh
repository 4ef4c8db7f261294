#!/bin/sh
# Witnesses in the machine: what it confirms has a schedule that shows the same finding; what it cannot run, or has no detector for, is
# carried out natively, which is said; a witness that the program does not follow is not confirmed.
# usage: witness-machine.sh HEDDLE FOLDER-OF-PROGRAMS SOURCE-ROOT
set -eu
heddle=$(realpath "$1") programs=$(realpath "$2") root=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
cd "$work"
fail() { echo "$*"; exit 1; }
# predict NAME LEVEL OPTION..: its witnesses
predict() {
  rm -f ./*.witness ./*.schedule
  source=$programs/$1.c level=$2
  shift 2
  "$heddle" cc -g "$level" -D_GNU_SOURCE -I"$root/include" "$source" -o program -pthread
  "$heddle" trace "$@" -o p.trace ./program >out 2>&1
  "$heddle" predict "$@" p.trace >report || true
}
# replays CODE ARGUMENTS
replays() {
  expected=$1 code=0
  shift
  "$heddle" replay "$@" >said 2>note </dev/null || code=$?
  [ $code = "$expected" ] || { cat said note; fail "replay $*: exit code $code"; }
}
# in_machine NAME FINDING LEVEL OPTION..
in_machine() {
  name=$1 finding=$2 level=$3
  shift 3
  predict "$name" "$level" "$@"
  file=$(ls heddle-$finding-*.witness | head -n 1)
  set -- "$name" "$finding" "$@"
  [ -s "$file" ] || fail "$1: no witness"
  replays 1 "$file" $(shift 2; echo "$@")
  grep -q "^$2, confirmed: the machine shows it, by the schedule $file.schedule\$" said || { cat said; fail "$1: not in the machine"; }
  [ ! -s note ] || { cat note; fail "$1: a note"; }
  tail -n +3 said >shown
  grep -qE "^($2: |property: the property $2 is violated$)" shown || fail "$1: no report"
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
in_machine atomicity atomicity-violation -O0
in_machine nested atomicity-violation -O1

# Properties: the monitor in the machine sees them.
for level in -O0 -O2; do
  in_machine ../property/order backwards $level --property="$root/tests/property/order.property"
  in_machine ../property/marks used_late $level --property="$root/tests/property/marks.property"
  in_machine ../property/close use_after_close $level --property="$root/specs/properties/use-after-close.property"
  in_machine ../property/pointers use_before_initialise $level --property="$root/specs/properties/use-before-initialise.property"
  in_machine ../property/iterator iterator_invalidation $level --property="$root/specs/properties/iterator-invalidation.property"
done
file=heddle-iterator_invalidation-1.witness
rm -f $file.schedule
replays 3 --machine $file
grep -q 'in the machine, it is not known what the property is, which --property=FILE says$' said || { cat said; fail "no property"; }
replays 3 --machine --property="$root/specs/properties/deadlock.property" $file
grep -q 'in the machine, no file of --property has such a property$' said || { cat said; fail "another property"; }
replays 3 --machine --property="$root/tests/property/order.property" $file
grep -q 'in the machine, .*order.property:[0-9:]* the program has no mark' said || { cat said; fail "a property of another program"; }
# The corrected program does not follow it.
"$heddle" cc -g -O2 -D_GNU_SOURCE "$programs/../property/iterator-fixed.c" -o fixed -pthread
replays 3 --machine --property="$root/specs/properties/iterator-invalidation.property" $file ./fixed
[ ! -e $file.schedule ] || fail "a schedule of what was not confirmed"
# Accesses cannot be watched there.
predict race -O1 --property="$root/specs/properties/data-race.property"
replays 1 --property="$root/specs/properties/data-race.property" heddle-data_race-1.witness
grep -q '^heddle: note: carried out natively; in the machine, .*accesses are no events of properties where programs are checked' note ||
  { cat note; fail "no reason"; }

# Chosen.
predict race -O2
replays 2 --property="$root/specs/properties/deadlock.property" heddle-data-race-1.witness
grep -qx 'heddle: --property is for witnesses of properties; this one is of: data-race' note || { cat note; fail "no witness of a property"; }
file=heddle-data-race-1.witness
rm -f $file.schedule
replays 1 --native $file
grep -q '^data-race, confirmed: both threads stood' said && [ ! -s note ] && [ ! -e $file.schedule ] || fail "--native"
replays 1 --machine --json $file
grep -q '"by":"machine","confirmed":true,.*"schedule":"'$file.schedule'"' said || { cat said; fail "--json"; }
replays 2 --property="$root/specs/properties/deadlock.property" $file.schedule
grep -q '^heddle: --property is for witnesses; a schedule says itself' note || { cat note; fail "a schedule"; }
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
sed 's/^found .*/found "atomicity-violation"/' $file >other
replays 3 --machine other
grep -q '^atomicity-violation, not confirmed: in the machine, all steps were done, but no detector' said || { cat said; fail "three accesses that are two"; }
sed 's/^found .*/found "leak"/' $file >other
replays 3 --machine other
grep -q '^leak, not confirmed: in the machine, it has no detector for such a finding' said || { cat said; fail "a finding of another kind"; }
head -c 300 $file >other
replays 2 --machine other
[ "$(grep -c '^heddle: ' note)" = 1 ] || { cat note; fail "a damaged witness"; }
sed 's#^program .*#program "/nonexistent"#' $file >other
replays 2 --machine other
[ "$(grep -c '^heddle: ' note)" = 1 ] || { cat note; fail "no program"; }

# What the machine cannot run.
predict socket -O1
replays 1 heddle-data-race-1.witness
grep -q '^data-race, confirmed: both threads stood' said || { cat said; fail "not natively"; }
grep -q '^heddle: note: carried out natively; in the machine, .*socketpair is not supported' note || { cat note; fail "no reason"; }
replays 3 --machine heddle-data-race-1.witness
