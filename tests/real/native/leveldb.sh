# leveldb's own benchmark. A header of it asks for Google's test library, for macros and a seed that the benchmark does not use.
build_leveldb() {
  mkdir -p stub/gmock stub/gtest && : >stub/gtest/gtest.h
  cat >stub/gmock/gmock.h <<'END'
#define MATCHER(name, text) template <class T> bool name(const T &arg)
namespace testing { struct UnitTest { static UnitTest *GetInstance() { return 0; } int random_seed() { return 1; } }; }
END
  local files
  files=$(ls db/*.cc table/*.cc util/*.cc helpers/memenv/*.cc | grep -v '_test\.cc\|windows\|leveldbutil\|dumpfile\|db/c\.cc')
  # shellcheck disable=SC2086
  printf '%s\n' $files benchmarks/db_bench.cc | xargs -P2 -I{} sh -c "mkdir -p out/\$(dirname {}) && $CXX -O2 -std=c++17 -DNDEBUG \
    -DLEVELDB_PLATFORM_POSIX=1 -DHAVE_FDATASYNC=1 -DHAVE_O_CLOEXEC=1 -I. -Iinclude -Istub -c {} -o out/{}.o" &&
    $CXX $(find out -name '*.o') -o db_bench -pthread
}
leveldb() {
  package leveldb db_bench || return
  bench() {
    rm -rf files && mkdir files
    measured "$folder/leveldb/db_bench" --db="$work/files" --threads=4 --num=$((8000 / less)) --write_buffer_size=1000000 --compression_ratio=1 \
      --benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq,seekrandom,deleterandom && [ "$(grep -c 'micros/op' out)" = 7 ]
  }
  row leveldb bench
}
