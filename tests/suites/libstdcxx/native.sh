# libstdc++'s tests of 30_threads that are to be run, natively: correct programs. Sourced by tests/suites/native.
. "$here/libstdcxx/suite.sh"
builds_once=yes

names() { (cd "$(folder)" && grep -lr --include='*.cc' 'dg-do run' 30_threads | sort | sed 's,\.cc$,,; s,/,:,g'); }
wanted() { echo silent; }

script() {
  local file standard
  file=$(folder)/$(echo "$1" | tr : /).cc
  standard=$(grep -o -m1 'std=gnu++[0-9a-z]*' "$file" || echo std=gnu++17)
  case $standard in *++98) standard=std=gnu++11 ;; esac
  case $(grep -o -m1 'target c++[0-9a-z]*' "$file") in *c++20 | *c++2a | *c++23) standard=std=gnu++20 ;; esac
  build_cxx "-$standard" -O2 -w -pthread -I"$here/libstdcxx" -I"$(folder)/util" "$file" -o program -latomic -lrt && run ./program
}
