# libstdc++'s tests of 30_threads and 29_atomics that are to be run. Sourced by tests/suites/run.
folder() { echo "$work/gcc/libstdc++-v3/testsuite"; }

prepare() { fetch_gcc; }

names() { (cd "$(folder)" && grep -lr --include='*.cc' 'dg-do run' 30_threads 29_atomics | sort | sed 's,\.cc$,,; s,/,:,g'); }

# What the test's first lines ask for: its standard, and definitions.
check_arguments() {
  file=$(echo "$1" | tr : /).cc
  standard=$(grep -o -m1 'std=gnu++[0-9a-z]*' "$(folder)/$file" || echo std=gnu++17)
  case $standard in *++98) standard=std=gnu++11 ;; esac
  effective=$(grep -o -m1 'target c++[0-9a-z]*' "$(folder)/$file" | grep -o 'c++.*')
  case $effective in c++20 | c++2a | c++23) standard=std=gnu++20 ;; esac
  echo "-$standard -Wno-everything -pthread -I$here/libstdcxx -Iutil $file"
}
