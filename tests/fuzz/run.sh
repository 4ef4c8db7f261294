#!/bin/sh
# Fuzzes a target, and then keeps of what it found the least that reaches as much code:
#   tests/fuzz/run.sh NAME [SECONDS] [BUILD-FOLDER]
# The build folder is one of its own, made by clang-19 with the package libclang-rt-19-dev.
# Whatever makes a target fail is left in the current folder, crash-HASH: mend it, and add it to the corpus.
set -eu
name=$1 seconds=${2:-600} build=${3:-build-fuzz}
here=$(dirname "$0")
corpus=$here/corpus/$name
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
if [ ! -e "$build/build.ninja" ]; then
  mkdir -p "$build/headers" # gcc has this one among others, which clang has its own of
  cp "$(gcc -print-file-name=include)"/backtrace*.h "$build/headers"
  CC=clang-19 CFLAGS="-idirafter $(realpath "$build/headers")" meson setup -Dfuzz=true --buildtype=debugoptimized "$build" >/dev/null
fi
ninja -C "$build" "tests/fuzz/fuzz-$name" >/dev/null
fuzzer=$(realpath "$build/tests/fuzz/fuzz-$name")
"$fuzzer" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "$found" "$corpus" 2>&1 |
  grep -vE '^#|NEW_FUNC' | tail -40
mkdir "$found/least"
"$fuzzer" -merge=1 -max_len=16384 "$found/least" "$corpus" "$found" 2>&1 | tail -1
echo "found: $(ls "$found/least" | wc -l) files, $(du -cb "$found"/least/* | tail -1 | cut -f1) bytes, in place of $(ls "$corpus" | wc -l)"
if [ "${KEEP:-}" ]; then
  rm -rf "$KEEP"
  cp -r "$found/least" "$KEEP"
fi
