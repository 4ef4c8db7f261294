# cppcheck: C++ with containers everywhere, whose threads are std::async's.
build_cppcheck() { make -j2 cppcheck "CXX=$CXX -DUSE_THREADS" CPPCHK_GLIBCXX_DEBUG=; }
cppcheck() {
  package cppcheck cppcheck || return
  local files=(sources/cppcheck/samples sources/cppcheck/lib/{timer,utils,color}.cpp sources/cppcheck/cli/main.cpp)
  analyse() {
    measured "$folder/cppcheck/cppcheck" -j4 -q --enable=all --error-exitcode=0 --std=c++11 "${files[@]}" &&
      grep -v "^heddle: " out.errors | sort >"found.$kind" && [ -s "found.$kind" ] && cmp "found.$kind" found.native
  }
  row cppcheck analyse
}
