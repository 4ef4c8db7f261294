# cpp-httplib: a server whose threads are a pool, and clients that are std::async's, in one C++ program.
build_cpp-httplib() { $CXX -std=c++17 -O2 -I. "$here/httplib_client.cc" -o httplib_client -pthread; }
httplib() {
  package cpp-httplib httplib_client || return
  ask() { measured "$folder/cpp-httplib/httplib_client" 2000 && mv out "told.$kind" && cmp "told.$kind" told.native; }
  row httplib ask
}
