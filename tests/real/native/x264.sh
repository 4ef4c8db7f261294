# x264, without assembly: four threads encode frames of noise that moves.
configure_x264() {
  ./configure --disable-asm --disable-opencl --disable-lavf --disable-swscale --disable-ffms --disable-gpac --disable-lsmash --bit-depth=8 &&
    sed -i 's/-mpreferred-stack-boundary=[0-9]*//' config.mak # clang has another word for it
}
build_x264() { make -j2 x264 "CC=$CC" "LD=$CC -o "; }
x264() {
  package x264 x264 || return
  gcc -O2 "$here/frames.c" -o frames && ./frames 320 180 30 >frames.yuv || return
  encode() {
    measured "$folder/x264/x264" --quiet --no-progress --threads 4 --input-res 320x180 --fps 25 -o "frames.$kind" frames.yuv &&
      cmp "frames.$kind" frames.native
  }
  row x264 encode
}
