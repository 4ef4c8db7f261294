# compiler-rt's tests of ThreadSanitizer, natively: those for Linux that need no other library. Sourced by tests/suites/native.
folder() { echo "$work/compiler-rt/test/tsan"; }

prepare() {
  [ -d "$(folder)" ] && [ -e "$work/testonly.o" ] && return
  prepare_apt bookworm
  mkdir -p fetched/llvm-toolchain-19
  (cd fetched/llvm-toolchain-19 && apt bookworm apt-get source --download-only --only-source llvm-toolchain-19) &&
    tar -xJf fetched/llvm-toolchain-19/llvm-toolchain-19_*.orig.tar.xz --strip-components=1 --wildcards '*/compiler-rt/test/tsan' \
      '*/compiler-rt/test/sanitizer_common/*.h' || { result "fetch llvm-toolchain-19" 1 && return 1; }
  gcc -O1 -c "$here/compiler-rt/testonly.c" -o testonly.o
}

# race_on_heap.cpp, Linux:double_race.cpp
names() { (cd "$(folder)" && ls ./*.c ./*.cpp Linux/*.c Linux/*.cpp libcxx/*.cpp | sed 's,^\./,,; s,/,:,'); }
source_of() { echo "$(folder)/${1/:/\/}"; }

# A test that wants a report is run until there is one, or may fail.
wanted() {
  grep -q 'RUN:.*\(%deflake\|not *%run\)' "$(source_of "$1")" && echo report && return
  grep -v 'CHECK[A-Z-]*-NOT:' "$(source_of "$1")" | grep -qE 'CHECK[A-Z-]*: .*ThreadSanitizer: (data|heap|lock|un|read|double|destroy|mutex|signal|thread|race|use)' &&
    echo report || echo silent
}

# The test's RUN lines, with our commands in the place of lit's. What FileCheck would look for is ThreadSanitizer's wording.
script() {
  local file lines common
  file=$(source_of "$1")
  case $tool in heddle*) testonly=$work/testonly.o ;; *) testonly= ;; esac
  lines=$(sed -n 's,^ *//* *RUN: ,,p' "$file" | sed -E ':join; /(\\|\|) *$/ { s/\\ *$//; N; s/\n/ /; b join }
    /llvm-objdump/d
    s/[0-9<>&]*( *\|)? *FileCheck [^&|]*//g
    s/(2>&1|\||>) *$//; s/2>&1//g; s/> *%t.out//
    s/%clangxx_tsan/build_cxx $common -std=c++11/g; s/%clang_tsan/build_c $common/g
    s/%env_tsan_opts=/TSAN_OPTIONS=atexit_sleep_ms=0:/g
    s/%(deflake|darwin_min_target_with_tls_support|link_libcxx_tsan|ld_flags_rpath_so)//g
    s/%ld_flags_rpath_exe/-Wl,--no-as-needed,-rpath,. .\/libdynamic.so/g
    s/\b(not|env) / /g
    s/%run/run/g; s/%dynamiclib/.\/libdynamic.so/g
')
  lines=${lines//%s/$file} lines=${lines//%t/$PWD/t}
  echo "$lines" >script
  common="-w -I$(folder)/.. -I$(folder) -pthread -ldl"
  TSAN_OPTIONS=atexit_sleep_ms=0
  export TSAN_OPTIONS
  eval "$lines"
}
