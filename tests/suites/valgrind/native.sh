# valgrind's tests of helgrind and drd, natively. Sourced by tests/suites/native. Their requests: native/requests.h.
. "$here/valgrind/suite.sh"
builds_once=yes

source_of() { ls "$(folder)/${1%%:*}/tests/${1#*:}".c*; }
tests_of() { grep -lE "^prog: *(\.\./\.\./${1%%:*}/tests/)?${1#*:} *$" "$(folder)"/*/tests/*.vgtest; }

# One of the tools expects an error of one of the tests with that program.
wanted() {
  local test
  for test in $(tests_of "$1"); do
    grep -qs 'ERROR SUMMARY: [1-9]' "${test%.vgtest}".stderr.exp* && echo report && return
  done
  echo silent
}

script() {
  local file source=-D_GNU_SOURCE compile
  file=$(source_of "$1")
  case $1 in memcheck:sigaltstack) source=-D_DEFAULT_SOURCE ;; esac
  case $file in *.cpp) compile="build_cxx -std=gnu++14" ;; *) compile="build_c -std=gnu11" ;; esac
  case $1 in *:omp_*) compile="$compile -fopenmp" ;; esac
  $compile -O0 -w -DVGO_linux=1 $source -pthread -I"$here/valgrind/native" -I"$(folder)" -I"$(folder)/include" -I"$(dirname "$file")" "$file" -o program -lrt -lm || return
  run ./program $(sed -n 's/^args: *//p' "$(tests_of "$1" | head -1)")
}
