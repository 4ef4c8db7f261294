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
