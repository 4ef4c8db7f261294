# memcached, with libevent: a client with eight connections gets and sets values while memory is short, so that values are evicted.
configure_libevent() { ./configure --disable-shared --disable-openssl --disable-samples --disable-libevent-regress --disable-dependency-tracking; }
build_libevent() { make include/event2/event-config.h && make -j2 libevent.la "CC=$CC"; }
configure_memcached() {
  CFLAGS="-O2 -I$work/native/libevent/include" LDFLAGS="-L$work/native/libevent/.libs" ./configure --disable-dependency-tracking
}
build_memcached() { make -j2 memcached "CC=$CC -I$1/libevent/include" "LDFLAGS=-L$1/libevent/.libs"; }
memcached() {
  package libevent .libs/libevent.a && package memcached memcached || return
  gcc -O2 "$here/memcached_client.c" -o memcached_client -pthread || return
  client() {
    answers || return
    ./memcached_client $port 8 $((10000 / less))
    local status=$?
    kill -TERM "$(cat files/pid)"
    return $status
  }
  serve() { served "$folder/memcached/memcached" -u root -p $port -U 0 -l 127.0.0.1 -t 4 -m 16 -P "$work/files/pid"; }
  row memcached serve
}
