# RocksDB's own benchmark, with all of its library, without compression. gflags, which reads its options before there are threads, is Debian's.
build_rocksdb() {
  sed 's/@GIT_MOD@/0/; s/@[A-Z_]*@//g' util/build_version.cc.in >util/build_version.cc
  rocksdb_sources >sources.list
  xargs -P2 -I{} sh -c "mkdir -p out/\$(dirname {}) && $CXX -O2 -std=c++17 -DNDEBUG -DROCKSDB_PLATFORM_POSIX -DROCKSDB_LIB_IO_POSIX -DOS_LINUX \
    -DGFLAGS=1 -DROCKSDB_FALLOCATE_PRESENT -DROCKSDB_RANGESYNC_PRESENT -DROCKSDB_MALLOC_USABLE_SIZE -DROCKSDB_PTHREAD_ADAPTIVE_MUTEX \
    -DROCKSDB_SCHED_GETCPU_PRESENT -DROCKSDB_BACKTRACE -I. -Iinclude -Ithird-party/gtest-1.8.1/fused-src -I$work/gflags/usr/include \
    -c {} -o out/{}.o" <sources.list &&
    $CXX $(find out -name '*.o') "$work"/gflags/usr/lib/*/libgflags.a -o db_bench -pthread -ldl
}
# The library's and the benchmark's files, as src.mk has them.
rocksdb_sources() {
  awk '/^[A-Z_]* *=/ { wanted = $1 ~ /^(LIB_SOURCES|BENCH_LIB_SOURCES)$/ && !/ASM|_C/ } wanted && /\.cc/ { print $1 == "\\" ? "" : $1 }' src.mk |
    grep .
  printf "%s\n" tools/db_bench.cc test_util/testutil.cc test_util/mock_time_env.cc
}
fetch_gflags() {
  [ -d gflags ] && return
  prepare_apt bookworm
  mkdir -p fetched/gflags
  (cd fetched/gflags && apt bookworm apt-get download libgflags-dev && dpkg -x libgflags-dev*.deb ../../gflags) || { result "fetch libgflags-dev" 1 && return 1; }
}
rocksdb() {
  fetch_gflags && package rocksdb db_bench || return
  bench() {
    rm -rf files && mkdir files
    measured "$folder/rocksdb/db_bench" --db="$work/files" --threads=4 --num=$((8000 / less)) --write_buffer_size=1000000 --compression_type=none \
      --benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq,seekrandom,deleterandom && [ "$(grep -c 'micros/op' out)" = 7 ]
  }
  row rocksdb bench
}
