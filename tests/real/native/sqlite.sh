# sqlite, as one file: threads with a connection each, threads that share one, databases in memory.
configure_sqlite3() { ./configure --disable-tcl --disable-readline && make sqlite3.c; }
build_sqlite3() { $CC -O2 -DSQLITE_THREADSAFE=1 -I. "$here/sqlite_client.c" sqlite3.c -o client -ldl -lm -pthread; }
sqlite() {
  package sqlite3 client || return
  fill() {
    rm -rf files && mkdir files
    measured "$folder/sqlite3/client" files/db 4 $((8000 / less)) && mv out "rows.$kind" && [ -s "rows.$kind" ] && cmp "rows.$kind" rows.native
  }
  row sqlite fill
}
