#!/bin/sh
# Races of the programs after the literature's benchmarks (bench/predict/literature): what a sound analysis finds in a trace, maximal finds in it.
# usage: literature.sh HEDDLE SOURCES
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2/bench/predict/literature/run" "$1" >"$work/out" || { cat "$work/out"; exit 1; }
cat "$work/out"
# A line for each of the eight, with what maximal found in the seventh column: something in each.
[ "$(grep -c '^| [a-z]* | [0-9]' "$work/out")" = 8 ] || { echo "not eight programs"; exit 1; }
awk -F'|' '/^[|] [a-z]* [|] [0-9]/ && $8 + 0 == 0 { print "no race found:" $0; bad = 1 } END { exit bad }' "$work/out"
