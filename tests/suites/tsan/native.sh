# gcc's tests of its thread sanitizer, natively. Sourced by tests/suites/native.
. "$here/tsan/suite.sh"

prepare() { fetch_gcc; }
source_of() { ls "$(folder)/$(echo "$1" | tr : /)".[cC]; }

wanted() { grep -qE 'dg-output.*ThreadSanitizer: |dg-shouldfail "tsan"' "$(source_of "$1")" && echo report || echo silent; }

# As the suite does it: without and with optimisation, if the test does not choose.
script() {
  local file options more levels=(-O0 -O2) level compile
  file=$(source_of "$1") folder=$(dirname "$file")
  options=$(sed -n '/target {* *powerpc/d; s/.*dg-\(additional-\)\?options "\([^"]*\)".*/\2/p' "$file" | tr ' ' '\n' |
    grep -vE '^(-fsanitize=.*|-fno-ipa-.*|-fno-inline-functions-called-once|-fdump-.*|--param=.*)$' | tr '\n' ' ') # what clang knows, too
  more=$(sed -n 's/.*dg-additional-sources \([^ ]*\).*/\1/p' "$file")
  grep -q 'dg-skip-if.*"-O0"' "$file" && levels=(-O2)
  case $file in *.C) compile="build_cxx -std=gnu++17" ;; *) compile="build_c -std=gnu11" ;; esac
  cp "$file" ${more:+"$folder/$more"} . && { cp "$folder/tsan_barrier.h.theirs" tsan_barrier.h || cp "$folder/tsan_barrier.h" .; } 2>/dev/null
  export TSAN_OPTIONS
  TSAN_OPTIONS=$(sed -n 's/.*dg-set-target-env-var TSAN_OPTIONS "\([^"]*\)".*/\1/p' "$file")
  for level in "${levels[@]}"; do
    $compile "$level" -w $options ./*.[cC] -o program -lpthread -ldl -lm && run ./program
  done
}
