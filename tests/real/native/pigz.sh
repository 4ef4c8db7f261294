# pigz: parallel deflate, with zlib.
configure_zlib() { ./configure --static; }
build_zlib() { make -j2 libz.a "CC=$CC"; }
build_pigz() { make pigz "CC=$CC -I$1/zlib -L$1/zlib"; }
pigz() { text 24 && package zlib libz.a && package pigz/trixie pigz && packs pigz 4 pigz/pigz -p4; }
