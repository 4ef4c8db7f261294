#!/bin/sh
# heddle predict on the examples of US 9,792,161: what is a race there, and what only looks like one.
# usage: predict.sh HEDDLE
set -eu
heddle=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
races() {
  code=0
  "$heddle" predict "$work/trace.std" >"$work/out" || code=$?
  [ "$code" -le 1 ] || { cat "$work/out"; exit 1; }
  found=$(grep -c '^data-race' "$work/out" || true)
  [ "$found" = "$1" ] || { echo "$2: $found races instead of $1"; cat "$work/out"; exit 1; }
}

# FIG. 1 and 4: (3,10) is a race; (4,8) has a lock, (12,15) a join between.
printf '%s\n' 'T1|fork(T2)|1|0' 'T1|acq(L)|2|0' 'T1|w(X)|3|1' 'T1|w(Y)|4|1' 'T1|rel(L)|5|0' 'T2|acq(L)|7|0' 'T2|r(Y)|8|1' 'T2|rel(L)|9|0' \
  'T2|r(X)|10|1' 'T2|branch(B)|11|0' 'T2|w(Z)|12|1' 'T1|join(T2)|14|0' 'T1|r(Z)|15|1' 'T1|branch(B)|16|0' >"$work/trace.std"
races 1 "FIG. 1"

# FIG. 2: x = 1; y = 1 beside a read of y and one of x. Without a branch between those both pairs are races, with one only that of y.
printf '%s\n' 'T1|fork(T2)|0|0' 'T1|w(X)|1|1' 'T1|w(Y)|2|1' 'T2|r(Y)|3|1' 'T2|r(X)|4|1' 'T2|branch(B)|5|0' >"$work/trace.std"
races 2 "FIG. 2, case 1"
printf '%s\n' 'T1|fork(T2)|0|0' 'T1|w(X)|1|1' 'T1|w(Y)|2|1' 'T2|r(Y)|3|1' 'T2|branch(B)|3|0' 'T2|r(X)|4|1' >"$work/trace.std"
races 1 "FIG. 2, case 2"

# A text that was made of a trace has the same findings.
for analysis in maximal hb wcp sp wdc edc; do
  "$heddle" show --std "$work/trace.std" >"$work/again.std"
  for file in trace again; do
    "$heddle" predict --analysis=$analysis "$work/$file.std" >"$work/out" || true
    grep -E ', found by|^  thread|^[0-9]* finding' "$work/out" | sed 's/^  thread T[0-9]*//' >"$work/$file" || true
  done
  [ -s "$work/trace" ] && diff "$work/trace" "$work/again" || { echo "--std: $analysis finds something else"; exit 1; }
done

# Properties: a pattern finds what the analysis finds; what the trace does not have is refused by file, line and column.
cat >"$work/p.property" <<'END'
property both(x) {
  event read  before read * of x
  event write before write * of x
  pattern read(t1) || write(t2)
}
END
code=0
"$heddle" predict --property="$work/p.property" "$work/trace.std" >"$work/out" || code=$?
[ "$code" = 1 ] && grep -q '^both, found by maximal' "$work/out" || { echo "property: exit code $code"; cat "$work/out"; exit 1; }
# Places that nobody knows are not all the same: twenty pairs in vain, under a lock, are not for another one.
{
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf '%s\n' 'A|acq(L)|-1' "A|w(X$i)|-1|1" 'A|rel(L)|-1'; done
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf '%s\n' 'B|acq(L)|-1' "B|r(X$i)|-1|1" 'B|rel(L)|-1'; done
  printf '%s\n' 'A|w(Z)|-1|1' 'B|r(Z)|-1|1' 'B|branch(1)|-1'
} >"$work/unknown.std"
code=0
"$heddle" predict --property="$work/p.property" "$work/unknown.std" >"$work/out" || code=$?
[ "$code" = 1 ] && grep -q '21 questions: 1 yes, 0 undecided; 0 left out' "$work/out" || { echo "unknown places: $code"; cat "$work/out"; exit 1; }
printf 'property called() {\n  event a after call nobody()\n  pattern a\n}\n' >"$work/p.property"
code=0
"$heddle" predict --property="$work/p.property" "$work/trace.std" >"$work/out" 2>&1 || code=$?
[ "$code" = 2 ] && grep -q "p.property:2:22: the trace has no calls of .nobody'" "$work/out" || { echo "no method: $code"; cat "$work/out"; exit 1; }
printf 'property wrong(x) {\n  event a after acquire x\n  pattern a b\n}\n' >"$work/p.property"
code=0
"$heddle" predict --property="$work/p.property" "$work/trace.std" >"$work/out" 2>&1 || code=$?
[ "$code" = 2 ] && grep -q "p.property:3:13: .b' is no event of the property" "$work/out" || { echo "no event: $code"; cat "$work/out"; exit 1; }
code=0
"$heddle" predict --analysis=nonsense "$work/trace.std" >"$work/out" 2>&1 || code=$?
[ "$code" = 2 ] || { echo "no analysis: $code"; exit 1; }
for wrong in --window=0 --budget=0 --jobs=0; do
  code=0
  "$heddle" predict $wrong "$work/trace.std" >"$work/out" 2>&1 || code=$?
  [ "$code" = 2 ] && grep -q -- "${wrong%=0} takes a number from 1" "$work/out" || { echo "$wrong: $code"; cat "$work/out"; exit 1; }
done

# The locks that are held, where they were taken; also one from an earlier window.
printf '%s\n' 'A|acq(L)|1' 'A|acq(M)|2' 'A|rel(M)|3' 'A|rel(L)|4' 'B|acq(M)|5' 'B|acq(L)|6' 'B|rel(L)|7' 'B|rel(M)|8' >"$work/dead.std"
"$heddle" predict "$work/dead.std" >"$work/out" || true
grep -A1 'place 6$' "$work/out" | grep -qx '    holding what it locked at place 5' || { echo "no locks held"; cat "$work/out"; exit 1; }
{ echo 'A|acq(N)|9'; for i in 1 2 3 4 5 6 7 8 9; do echo 'A|w(Q)|10|1'; done; echo 'A|w(X)|11|1'; echo 'B|w(X)|12|1'; } >"$work/held.std"
"$heddle" predict --window=6 "$work/held.std" >"$work/out" || true
grep -A1 'place 11$' "$work/out" | grep -qx '    holding what it locked at place 9' || { echo "a lock of an earlier window"; cat "$work/out"; exit 1; }
"$heddle" predict --json "$work/held.std" | python3 -c 'import json, sys; e = json.load(sys.stdin)["findings"][0]["events"]; assert [[l["line"] for l in x["locks"]] for x in e] == [[9], []]'
"$heddle" predict --json "$work/held.std" | python3 -c 'import json, sys; r = json.load(sys.stdin); assert r["verdict"] == "BUG" and r["notes"][-1] == "1 finding, 0 undecided", r["notes"]'

# Which rules a text breaks: a value that nobody wrote is marked when it is read, a join without its thread's end is not.
printf '%s\n' 'A|w(X)|1|1' 'B|r(X)|2|2' 'B|branch(0)|3' >"$work/odd.std"
"$heddle" show --check "$work/odd.std" | grep -q '^1 reads returned what no order' || { echo "--check: an odd read"; exit 1; }

# What a thread does because of such a read is no finding: whoever wrote the value may have done so behind the other access.
printf '%s\n' 'A|w(F)|1|0' 'A|w(D)|2|0' 'A|fork(B)|3' 'A|fork(C)|4' 'B|w(D)|5|7' 'C|r(F)|6|1' 'C|branch(0)|7' 'C|r(D)|8|7' >"$work/unseen.std"
code=0
"$heddle" predict "$work/unseen.std" >"$work/out" || code=$?
[ $code = 3 ] && grep -q '^0 findings, 1 undecided' "$work/out" || { echo "an unseen write: $code"; cat "$work/out"; exit 1; }
"$heddle" predict --analysis=hb,sp "$work/unseen.std" | grep -q 'unconfirmed\|^0 findings' || { echo "an unseen write, proven by a streaming analysis"; exit 1; }

# Several processes say what one says: threads that race at some of many words, in many windows.
awk 'BEGIN { srand(5); for (i = 0; i < 12000; i++) { t = int(rand() * 3); v = int(rand() * 12); l = rand() < 0.5
  if (l) print "T" t "|acq(L" v ")|1|0"; print "T" t "|" (rand() < 0.6 ? "r" : "w") "(V" v ")|" (2 + v * 100 + (l ? 50 : 0) + int(rand() * 3)) "|0"
  if (rand() < 0.2) print "T" t "|branch(0)|99"; if (l) print "T" t "|rel(L" v ")|1|0" } }' >"$work/many.std"
for jobs in 1 2 4 7; do
  "$heddle" predict -j$jobs --window=500 "$work/many.std" >"$work/out$jobs" || true
  "$heddle" predict --jobs=$jobs --json --window=500 "$work/many.std" >"$work/json$jobs" || true
  cmp "$work/out1" "$work/out$jobs" && cmp "$work/json1" "$work/json$jobs" || { echo "-j$jobs says something else"; diff "$work/out1" "$work/out$jobs" | head; exit 1; }
done
[ "$(grep -c '^data-race' "$work/out1")" -gt 20 ] && grep -q ' in [0-9][0-9]* windows, ' "$work/out1" || { echo "not much to share"; tail -3 "$work/out1"; exit 1; }

# What is in no window together: by default `hb` adds what it proves, and each pair of places is told once. Alone, `maximal` does not have it.
{ echo 'A|w(X)|1|1'; for i in 1 2 3 4 5 6 7 8 9; do echo 'A|w(Q)|10|1'; done; echo 'B|w(Y)|2|1'; echo 'B|w(X)|3|1'; echo 'A|w(Y)|4|1'; } >"$work/far.std"
code=0
"$heddle" predict --window=4 "$work/far.std" >"$work/out" || code=$?
[ "$code" = 1 ] && [ "$(grep -c '^data-race, found by maximal$' "$work/out")" = 1 ] && [ "$(grep -c '^data-race, found by hb$' "$work/out")" = 1 ] &&
  grep -A1 'found by hb$' "$work/out" | grep -q 'writes at place 1$' && grep -q '^hb: 15 events, 1 findings that maximal does not have$' "$work/out" &&
  grep -q '^2 findings, 0 undecided$' "$work/out" || { echo "far apart: $code"; cat "$work/out"; exit 1; }
"$heddle" predict --window=4 --analysis=maximal "$work/far.std" >"$work/out" || true
grep -q '^1 finding, 0 undecided$' "$work/out" && ! grep -q '^hb:' "$work/out" || { echo "maximal alone"; cat "$work/out"; exit 1; }
# What `hb` claims behind an earlier race is not proven, and no finding: B reads Y because A wrote it, and X comes behind.
printf '%s\n' 'A|w(X)|1|1' 'A|w(Y)|2|1' 'B|r(Y)|3|1' 'B|branch(0)|4' 'B|r(X)|5|1' >"$work/behind.std"
"$heddle" predict --analysis=hb "$work/behind.std" >"$work/out" || true
grep -q '^2 findings' "$work/out" || { echo "behind a race, hb"; cat "$work/out"; exit 1; }
"$heddle" predict "$work/behind.std" >"$work/out" || true
grep -q '^1 finding, ' "$work/out" && ! grep -q 'found by hb' "$work/out" || { echo "behind a race"; cat "$work/out"; exit 1; }

# Suppressions, in the format of heddle run.
printf '# T\nrace:^nothing\nrace:^pl*.c$\n' >"$work/s"
sed 's/|\([0-9]\)|/|place\1.c|/' "$work/trace.std" >"$work/named.std"
code=0
"$heddle" predict --suppressions="$work/s" "$work/named.std" >"$work/out" || code=$?
[ "$code" = 0 ] && grep -q "^  1 by race:^pl\*.c\$ ($work/s:3)" "$work/out" && ! grep -q '^data-race' "$work/out" || { echo "suppressed: $code"; cat "$work/out"; exit 1; }
"$heddle" predict --json --suppressions="$work/s" "$work/named.std" | python3 -c 'import json, sys; r = json.load(sys.stdin); assert r["findings"] == [] and r["suppressed"] == 1 and r["suppressions"][0]["line"] == 3'
printf 'race:x\n\nraces:y\n' >"$work/s"
code=0
"$heddle" predict --suppressions="$work/s" "$work/named.std" >"$work/out" 2>&1 || code=$?
[ "$code" = 2 ] && grep -q "s:3: there is no type of suppressions \"races\": race, " "$work/out" || { echo "wrong suppressions: $code"; cat "$work/out"; exit 1; }

"$heddle" predict --json "$work/trace.std" | python3 -c 'import json, sys; f = json.load(sys.stdin)["findings"]; assert f[0]["kind"] == "data-race" and f[0]["witness"]["steps"]'
"$heddle" show "$work/trace.std" | grep -q '^T2.1 read'
