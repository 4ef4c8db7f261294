# xz: LZMA in blocks. At the usual level ThreadSanitizer takes a minute.
configure_xz-utils() { ./configure --disable-shared --disable-nls --disable-doc --disable-dependency-tracking; }
build_xz-utils() { make -C src/liblzma -j2 "CC=$CC" && make -C src/xz -j2 "CC=$CC"; }
xz() { text 24 && package xz-utils src/xz/xz && packs xz 4 xz-utils/src/xz/xz -0 -T2 --block-size=2MiB; }
