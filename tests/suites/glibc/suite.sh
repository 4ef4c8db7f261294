# glibc's thread tests. Sourced by tests/suites/run.
folder() { echo "$work/glibc.tests"; }

prepare() {
  fetch glibc glibc || return 1
  tests=$(folder)
  mkdir -p "$tests/nptl" "$tests/sysdeps/pthread" "$tests/include/support" "$tests/include/elf" "$tests/posix" || return 1
  cp glibc/nptl/tst-*.[ch] "$tests/nptl/" && cp glibc/sysdeps/pthread/tst-*.[ch] glibc/sysdeps/pthread/eintr.c "$tests/sysdeps/pthread/" &&
    cp glibc/posix/tst-vfork*.c "$tests/posix/" || return 1
  ln -sfn . "$tests/sysdeps/pthread/sysdeps"
  for header in check support xthread xtime timespec xsignal xunistd xstdio temp_file xstdlib test-driver capture_subprocess subprocess; do
    echo '#include <driver.h>' >"$tests/include/support/$header.h"
  done
  for header in array_length libc-diag atomic pthreadP config shlib-compat elf/dl-tunables; do
    echo '#include <driver.h>' >"$tests/include/$header.h"
  done
  echo '#include <driver.c>' >"$tests/include/support/test-driver.c"
  for old in . include sysdeps; do printf '#define SUITE_SKELETON\n#include <driver.c>\n' >"$tests/$old/test-skeleton.c"; done
}

names() { (cd "$(folder)" && ls nptl/tst-*.c sysdeps/pthread/tst-*.c | sed 's,.*/,,; s,\.c$,,'); }

check_arguments() {
  for file in "nptl/$1.c" "sysdeps/pthread/$1.c"; do [ -e "$(folder)/$file" ] && break; done
  case $1 in *x[0-9]*) more=-fexceptions ;; *) more="" ;; esac
  case $1 in
    tst-cleanup4) more="$more nptl/tst-cleanup4aux.c" ;;
    tst-cleanupx4) more="$more nptl/tst-cleanupx4aux.c" ;;
  esac
  echo "-std=gnu11 -D_GNU_SOURCE -Wno-everything -I$here/glibc -Iinclude -Inptl -Isysdeps/pthread -I. -include prelude.h $more $file"
}
