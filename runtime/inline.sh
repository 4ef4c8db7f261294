#!/bin/sh
# usage: inline.sh CLANG OUTPUT ARGUMENTS..: compiles inline.c to bitcode that says nothing of how it was compiled: it is linked into modules that
# may have been compiled otherwise (-fshort-wchar, -fno-pie, ...).
set -eu
clang=$1 output=$2
shift 2
"$clang" "$@" -S -emit-llvm -o "$output.ll"
sed -i '/^!llvm\.module\.flags/d; /^!llvm\.ident/d' "$output.ll"
"$clang" -x ir -c -emit-llvm -O0 -Xclang -disable-llvm-passes "$output.ll" -o "$output" -Wno-override-module
rm "$output.ll"
