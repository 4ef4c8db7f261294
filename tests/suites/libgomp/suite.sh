# gcc's tests of its OpenMP library: those to be run that use no other device than the computer. Sourced by tests/suites/run.
folder() { echo "$work/gcc/libgomp/testsuite"; }

prepare() {
  fetch_gcc || return 1
  shrink "$(folder)"
}

# libgomp.c:omp-loop01, libgomp.c++:ctor-1, libgomp.c-c++-common:depend-1
names() {
  (cd "$(folder)" && grep -LE '(pragma|_Pragma *\(") *omp .*(target|device|requires)|omp_target_|dg-do *(compile|link)|openacc' \
    libgomp.c/*.c libgomp.c++/*.C libgomp.c-c++-common/*.c | sed 's,\.[cC]$,,; s,/,:,')
}

check_arguments() {
  file=$(ls "$(folder)/$(echo "$1" | tr : /)".[cC])
  case $file in *.C) language="-x c++ -std=gnu++17" ;; *) language="-std=gnu17" ;; esac
  options=$(sed -n 's/.*dg-\(additional-\)\?options "\([^"]*\)".*/\2/p' "$file" | tr ' ' '\n' | grep -E '^(-D|-std=)' | tr '\n' ' ')
  environment=$(sed -n 's/.*dg-set-target-env-var \(OMP_[A-Z_]*\) "\([^"]*\)".*/--env=\1='\2'/p' "$file" | tr '\n' ' ')
  echo "-Wno-everything -D_GNU_SOURCE -fopenmp $language $options $environment $file"
}
