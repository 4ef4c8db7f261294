# cppcheck: C++ with containers everywhere, whose threads are std::async's.
build_cppcheck() { make -j2 cppcheck "CXX=$CXX -DUSE_THREADS" CPPCHK_GLIBCXX_DEBUG=; }
cppcheck() {
  package cppcheck cppcheck || return
  analyse() {
    measured "$folder/cppcheck/cppcheck" -j4 -q --enable=all --error-exitcode=0 --std=c++11 sources/cppcheck/samples &&
      sort out.errors >"found.$kind" && [ -s "found.$kind" ] && cmp "found.$kind" found.native
  }
  row cppcheck analyse
}
