# glibc's thread tests. Sourced by tests/suites/run.
folder() { echo "$work/glibc.tests"; }

prepare() {
  fetch glibc glibc || return 1
  tests=$(folder)
  mkdir -p "$tests/nptl" "$tests/sysdeps/pthread" "$tests/include/support" "$tests/include/elf" "$tests/posix" || return 1
  cp glibc/nptl/tst-*.[ch] "$tests/nptl/" && cp glibc/sysdeps/pthread/tst-*.[ch] glibc/sysdeps/pthread/eintr.c "$tests/sysdeps/pthread/" &&
    cp glibc/posix/tst-vfork*.c "$tests/posix/" || return 1
  ln -sfn . "$tests/sysdeps/pthread/sysdeps"
  mkdir -p "$tests/locale" "$tests/argp" "$tests/elf" "$tests/malloc" "$tests/sysdeps/elf" "$tests/sysdeps/locale" "$tests/sysdeps/argp" || return 1
  linux=glibc/sysdeps/unix/sysv/linux
  cp "$linux/tst-skeleton-thread-affinity.c" "$linux/tst-skeleton-affinity.c" glibc/sysdeps/generic/tst-stack-align.h "$tests/include/" &&
    cp glibc/locale/tst-C-locale.c "$tests/sysdeps/locale/" && cp glibc/argp/tst-argp1.c "$tests/sysdeps/argp/" &&
    cp glibc/elf/tst-unwind-main.c "$tests/sysdeps/elf/" && cp glibc/malloc/tst-interpose-aux.[ch] "$tests/malloc/" || return 1
  for header in check support xthread namespace xdlfcn xtime timespec xsignal xunistd xstdio temp_file xstdlib test-driver capture_subprocess subprocess; do
    echo '#include <driver.h>' >"$tests/include/support/$header.h"
  done
  for header in array_length libc-diag atomic pthreadP config shlib-compat elf/dl-tunables internaltypes internal-signals pthreaddef stackinfo descr; do
    echo '#include <driver.h>' >"$tests/include/$header.h"
  done
  echo '#include <driver.c>' >"$tests/include/support/test-driver.c"
  for old in . include sysdeps sysdeps/locale sysdeps/argp; do printf '#define SUITE_SKELETON\n#include <driver.c>\n' >"$tests/$old/test-skeleton.c"; done
  shrink "$tests"
}

names() { (cd "$(folder)" && ls nptl/tst-*.c sysdeps/pthread/tst-*.c | sed 's,.*/,,; s,\.c$,,'); }

check_arguments() {
  for file in "nptl/$1.c" "sysdeps/pthread/$1.c"; do [ -e "$(folder)/$file" ] && break; done
  case $1 in *x[0-9]*) more=-fexceptions ;; tst-stack4) more=-Dattribute_hidden= ;; *) more="" ;; esac
  case $1 in
    tst-cleanup4) more="$more nptl/tst-cleanup4aux.c" ;;
    tst-cleanupx4) more="$more nptl/tst-cleanupx4aux.c" ;;
    tst-_res1) more="$more sysdeps/pthread/tst-_res1mod1.c sysdeps/pthread/tst-_res1mod2.c" ;;
    tst-fini1) more="$more sysdeps/pthread/tst-fini1mod.c" ;;
    tst-create1 | tst-join7) more="$more --loads=sysdeps/pthread/$1mod.c" ;;
    tst-tls3*) more="$more --loads=nptl/tst-tls3mod.c" ;;
    tst-pt-tls4) more="$more --loads=sysdeps/pthread/tst-tls4moda.c --loads=sysdeps/pthread/tst-tls4modb.c" ;;
    tst-stack4) for i in 0 1; do for j in 0 1; do more="$more --loads=tst-stack4mod-$i-$j.so=nptl/tst-stack4mod.c"; done; done ;;
  esac
  echo "-std=gnu11 -D_GNU_SOURCE -Wno-everything -I$here/glibc -Iinclude -Inptl -Isysdeps/pthread -I. -include prelude.h $more $file"
}
