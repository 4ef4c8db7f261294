# glibc's thread tests, natively: correct programs, which are to end as they do without Heddle. Sourced by tests/suites/native.
. "$here/glibc/suite.sh"
builds_once=yes

wanted() { echo silent; }

# Those that start themselves again are left out: the stand-in for glibc's driver does not know their options, and would never end.
names() {
  (cd "$(folder)" && ls nptl/tst-*.c sysdeps/pthread/tst-*.c | sed 's,.*/,,; s,\.c$,,') | while read -r name; do
    case $(awk -v name="$name" '$1 == name' "$here/glibc/expected") in *"runs itself again"*) ;; *) echo "$name" ;; esac
  done
}

script() {
  local file more="" library flags
  flags="-std=gnu11 -D_GNU_SOURCE -DSUITE_NATIVE -O2 -w -I$here/glibc -I$(folder)/include -I$(folder)/nptl -I$(folder)/sysdeps/pthread -I$(folder) -include prelude.h"
  for file in "$(folder)/nptl/$1.c" "$(folder)/sysdeps/pthread/$1.c"; do [ -e "$file" ] && break; done
  case $1 in *x[0-9]*) more=-fexceptions ;; tst-stack4) more=-Dattribute_hidden= ;; esac
  case $1 in
    tst-cleanup4 | tst-cleanupx4) more="$more $(folder)/nptl/$1aux.c" ;;
    tst-_res1) more="$more $(folder)/sysdeps/pthread/$1mod1.c $(folder)/sysdeps/pthread/$1mod2.c" ;;
    tst-fini1) more="$more $(folder)/sysdeps/pthread/$1mod.c" ;;
    tst-create1 | tst-join7 | tst-atfork[34]) build_c $flags -shared -fPIC "$(folder)/sysdeps/pthread/$1mod.c" -o "$1mod.so" ;;
    tst-tls3*) build_c $flags -shared -fPIC "$(folder)/nptl/tst-tls3mod.c" -o tst-tls3mod.so ;;
    tst-pt-tls4) for library in tst-tls4moda tst-tls4modb; do build_c $flags -shared -fPIC "$(folder)/sysdeps/pthread/$library.c" -o "$library.so"; done ;;
  esac
  build_c $flags $more "$file" -o program -pthread -lm -lrt -ldl || return
  LD_LIBRARY_PATH=$PWD run ./program
}
