# The cache is the user's alone, and what is damaged in it is made again.
. "$(dirname "$0")/lib.sh"

export XDG_CACHE_HOME="$work/kept"
# changed FILE AT: with one byte changed
changed() {
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf "\\$(printf %03o $((byte ^ 1 << $2 % 8)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# Whatever the umask is, nobody else can look in.
for mask in 000 022 027; do
  crossed x-$mask.c
  (
    umask $mask
    "$heddle" check --no-schedule x-$mask.c >out 2>err
  )
done
[ "$(find kept -type d ! -perm 700)" = "" ] || fail "folders for others: $(find kept -type d ! -perm 700)"
[ "$(find kept -type f ! -perm 600)" = "" ] || fail "files for others: $(find kept -type f ! -perm 600)"
[ "$(find kept -name '*.hdi' | wc -l)" = 3 ] || fail "there are not three images"
chmod 755 kept/heddle
run check --no-schedule x-000.c
[ "$(find kept -type d ! -perm 700)" = "" ] || fail "the folder of an earlier version was not closed"
# A schedule is written as the umask says.
(
  umask 022
  "$heddle" check -o s x-000.c >out 2>err
)
[ "$(find s -perm 644)" = s ] || fail "the cache's umask is the schedule's"
# Another's folder is not used.
if [ "$(id -u)" = 0 ]; then
  mkdir -p others/heddle
  chown 12345 others/heddle
  XDG_CACHE_HOME="$work/others" run check --no-schedule x-000.c
  expect_code 1
  [ "$(ls others/heddle)" = "" ] || fail "another user's folder was used"
fi

# A byte of the image, of the bitcode, of the list of headers.
rm -rf kept
cp x-000.c x.c
run check --no-schedule x.c
expect_code 1
sed 's/, [0-9.]* s, memory/, memory/' out >good
image=$(ls kept/heddle/*.hdi) bitcode=$(ls kept/heddle/*.bc) list=$(ls kept/heddle/*.dep)
cp "$image" image
cp "$bitcode" bitcode
checked_again() { # after WHAT at a place: the same report, and the files as they were
  run check --no-schedule x.c
  expect_code 1
  expect_empty err
  sed 's/, [0-9.]* s, memory/, memory/' out >now
  cmp -s good now || fail "another report after byte $2 of the $1 changed: $(cat now)"
  cmp -s "$image" image || fail "the image was not made again after byte $2 of the $1 changed"
  cmp -s "$bitcode" bitcode || fail "the bitcode was not made again after byte $2 of the $1 changed"
}
size=$(wc -c <image)
for at in 8 12 16 24 32 48 $((size / 7)) $((size / 3)) $((size / 2)) $((size * 3 / 4)) $((size - 1)); do
  changed "$image" "$at"
  ran="the image with byte $at changed"
  checked_again image "$at"
done
truncate -s $((size / 2)) "$image"
checked_again image cut
size=$(wc -c <bitcode)
for at in 0 5 9 13 20 25 40 $((size / 3)) $((size / 2)) $((size - 1)); do
  changed "$bitcode" "$at"
  ran="the bitcode with byte $at changed"
  checked_again bitcode "$at"
done
for at in 1 $(($(wc -c <"$list") / 2)) $(($(wc -c <"$list") - 1)); do
  changed "$list" "$at"
  ran="the list with byte $at changed"
  checked_again list "$at"
done

# Shown, a damaged image is an error.
changed image 1000
run show image
expect_code 2
expect_in err "image is not a usable image: it is damaged"
done_testing
