# redis: its own benchmark runs ten commands, then the server rewrites its log and saves in forked processes. Threads that serve clients spin:
# with fewer processors than threads that is all that they do, so they get fewer requests.
build_redis() { make -j2 "CC=$CC" CXX="$CXX" MALLOC=libc USE_SYSTEMD=no BUILD_TLS=no OPTIMIZATION=-O2; }
redis() {
  package redis src/redis-server || return
  client() {
    local programs=native/redis/src
    answers || return
    $programs/redis-benchmark -p $port -q -n $requests -c 20 -P 4 -t ping,set,get,incr,lpush,rpop,sadd,hset,zadd,mset &&
      $programs/redis-cli -p $port bgrewriteaof && sleep 3 && $programs/redis-cli -p $port bgsave && sleep 3 &&
      $programs/redis-cli -p $port flushall async && [ "$($programs/redis-cli -p $port dbsize)" = 0 ]
    local status=$?
    $programs/redis-cli -p $port shutdown nosave
    return $status
  }
  serve() {
    served "$folder/redis/src/redis-server" --port $port --bind 127.0.0.1 --dir "$work/files" --save '' --appendonly yes \
      --io-threads $threads --io-threads-do-reads yes --ignore-warnings ARM64-COW-BUG
  }
  local threads=1 requests=$((10000 / less))
  row redis serve
  threads=2 requests=$((2000 / less))
  row "redis, io-threads" serve
}
