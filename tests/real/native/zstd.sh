# zstd, with jobs of its own making.
build_libzstd() { make -C programs -j2 zstd "CC=$CC" HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 BACKTRACE=0; }
zstd() { text 60 && package libzstd programs/zstd && packs zstd 4 libzstd/programs/zstd -T2 -3 -q; }
