# valgrind's tests of helgrind and drd: one for each program that has an expected report. Sourced by tests/suites/run.
folder() { echo "$work/valgrind"; }

# The headers of requests to valgrind: here they ask nobody.
prepare() {
  fetch valgrind valgrind || return 1
  for header in config.h drd/drd.h helgrind/helgrind.h valgrind.h include/valgrind.h; do
    mkdir -p "$(folder)/$(dirname "$header")" && echo '#include <requests.h>' >"$(folder)/$header" || return 1
  done
  shrink "$(folder)"
}

# FOLDER:PROGRAM. Each tool is tested with programs of the other's folder as well ("../../drd/tests/rwlock_race"): each program counts once.
names() {
  (cd "$(folder)" && for tool in helgrind drd; do
    for test in "$tool"/tests/*.vgtest; do
      program=$(sed -n 's/^prog: *//p' "$test")
      [ ! -e "$tool/tests/$program.c" ] && [ ! -e "$tool/tests/$program.cpp" ] && continue
      echo "$tool:$program" | sed 's,^[a-z]*:\.\./\.\./\([a-z]*\)/tests/,\1:,'
    done
  done | sort -u)
}

check_arguments() {
  file=$(ls "$(folder)/${1%%:*}/tests/${1#*:}".c*)
  # Without _GNU_SOURCE where that makes no constant of what the test takes for one.
  arguments=$(sed -n "s/^${1#*:} .*args=\([^ ]*\).*/\1/p" "$here/valgrind/parameters" | tr , ' ')
  case $1 in memcheck:sigaltstack) source=-D_DEFAULT_SOURCE ;; *) source=-D_GNU_SOURCE ;; esac
  case $file in *.cpp) language=-std=gnu++14 ;; *) language=-std=gnu11 ;; esac
  case $1 in *:omp_*) language="$language -fopenmp" ;; esac
  echo "-Wno-everything -DVGO_linux=1 $source $language -pthread -I$here/valgrind -I$(folder) -I$(folder)/include -I$(folder)/${1%%:*}/tests $file ${arguments:+-- $arguments}"
}
