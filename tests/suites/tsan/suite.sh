# gcc's tests of its thread sanitizer. Sourced by tests/suites/run.
folder() { echo "$work/gcc/gcc/testsuite"; }

# Their barrier comes from a library that is loaded at run time, so that the sanitizer does not see it.
prepare() {
  fetch_gcc || return 1
  for folder in c-c++-common/tsan g++.dg/tsan; do
    header=$(folder)/$folder/tsan_barrier.h
    [ ! -e "$header" ] || [ -e "$header.theirs" ] || cp "$header" "$header.theirs" || return 1 # for tests/suites/native
    [ ! -d "$(folder)/$folder" ] || cp "$here/tsan/tsan_barrier.h" "$header" || return 1
  done
}

names() { (cd "$(folder)" && ls c-c++-common/tsan/*.c g++.dg/tsan/*.C gcc.dg/tsan/*.c 2>/dev/null | sed 's,\.[cC]$,,; s,/,:,g'); }

check_arguments() {
  file=$(ls "$(folder)/$(echo "$1" | tr : /)".[cC])
  case $file in *.C) language="-x c++ -std=gnu++17" ;; *) language="-std=gnu11" ;; esac
  echo "-Wno-everything -D_GNU_SOURCE -I$here/tsan -I$(dirname "$file") $language $file"
}
