# A damaged campaign is an error, and never another verdict.
. "$(dirname "$0")/lib.sh"

cat >count.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x;
int y;
static void *count(void *a) {
  long k = (long)a;
  for (int i = 0; i < 2; i++) atomic_store(&x, atomic_load(&x) + 1);
  if (k == 1) y = 1;
  if (k == 2 && atomic_load(&x) == 2) y = 2;
  return a;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, count, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(atomic_load(&x) > 2);
  return 0;
}
END
run check --campaign=kept --executions=300 --no-schedule count.c
expect_code 1
cp kept/campaign.sqlite good
run check --stats --campaign=kept --no-schedule count.c
grep -E '^(verdict|findings|executions)' out >whole
expect_line whole "verdict BUG"

damaged=0
# opened WHAT: an error of one line, or what a whole campaign ends with
opened() {
  run check --stats --campaign=kept --no-schedule count.c
  ran="a campaign with $1"
  grep -E '^(verdict|findings|executions)' out >now
  if [ "$code" = 2 ]; then
    damaged=$((damaged + 1))
    expect_in err "kept/campaign.sqlite: "
    expect_empty out
  else
    expect_code 1
    expect_same whole now
  fi
}
# Of the bytes that are not zero, every 40th; each time another bit.
od -An -v -tu1 -w1 good | awk '$1 != 0 && n++ % 40 == 7 { print NR - 1, $1 }' >places
while read -r at byte; do
  cp good kept/campaign.sqlite
  printf "\\$(printf %03o $((byte ^ 1 << at % 8)))" | dd of=kept/campaign.sqlite bs=1 seek="$at" conv=notrunc 2>/dev/null
  opened "byte $at changed"
done <places
[ "$damaged" -gt 10 ] || fail "only $damaged of $(wc -l <places) changes were noticed"
for size in 100 4096 8192; do
  head -c $size good >kept/campaign.sqlite
  opened "$size bytes left"
  [ "$code" = 2 ] || fail "a campaign of $size bytes was gone on with"
done
# An empty file is what is left of a process that was killed at the very start.
: >kept/campaign.sqlite
run check --stats --campaign=kept --no-schedule count.c
expect_code 1

expect_damaged() { expect_complaint "kept/campaign.sqlite: this is no campaign of this Heddle, or it is damaged"; }
refused() { # PYTHON: what somebody did to the database with tools of their own
  python3 -c 'import sqlite3' 2>/dev/null || return
  cp good kept/campaign.sqlite
  python3 -c "import sqlite3; d = sqlite3.connect('kept/campaign.sqlite'); $1; d.commit()" || fail "python"
  run check --campaign=kept --no-schedule count.c
  expect_damaged
}
refused "d.execute(\"DELETE FROM campaign WHERE name = 'state'\")"
refused "d.execute(\"DELETE FROM campaign WHERE name = 'of'\")"
refused "d.execute(\"DELETE FROM campaign\")"
refused "d.execute(\"UPDATE campaign SET value = x'' WHERE name = 'state'\")"
refused "d.execute(\"UPDATE campaign SET value = (SELECT value FROM campaign WHERE name = 'of') WHERE name = 'state'\")"
refused "d.execute(\"CREATE TRIGGER t AFTER INSERT ON campaign BEGIN DELETE FROM campaign; END\")"
refused "d.execute(\"DROP TABLE campaign\"); d.execute(\"CREATE VIEW campaign AS SELECT 'of' AS name, x'00' AS value\")"

# What is no file.
for at in pipe zero folder large; do mkdir $at; done
mkfifo pipe/campaign.sqlite
ln -s /dev/zero zero/campaign.sqlite
mkdir folder/campaign.sqlite
truncate -s 10G large/campaign.sqlite
no_file() { # FOLDER MESSAGE
  ran="a campaign that is $2"
  timeout 5 "$heddle" check --campaign="$1" count.c >out 2>err
  code=$?
  expect_complaint "$1/campaign.sqlite is $2"
}
no_file pipe "a pipe, not a file"
no_file zero "a device, not a file"
no_file folder "a folder, not a file"
no_file large "too large: it has more than 4096 MB"
done_testing
