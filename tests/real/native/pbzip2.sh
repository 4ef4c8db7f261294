# pbzip2: parallel block sorting, with libbz2. It is from before C++11: "..."PRIuMAX has become a literal with a suffix.
build_bzip2() { make -j2 libbz2.a "CC=$CC"; }
build_pbzip2() { make pbzip2 "CXX=$CXX -Wno-literal-suffix -Wno-reserved-user-defined-literal" "CPPFLAGS=-I$1/bzip2" "LDFLAGS=-L$1/bzip2"; }
pbzip2() { text 24 && package bzip2 libbz2.a && package pbzip2 pbzip2 && packs pbzip2 1 pbzip2/pbzip2 -p4; }
