# Whole reports against what they should look like. UPDATE=1 writes what they look like now.
. "$(dirname "$0")/lib.sh"
golden=$root/tests/cli/golden
cp "$golden"/*.c .

# name, arguments. The time is no part of it.
compare() {
  name=$1
  shift
  run check --no-schedule "$@"
  sed -i 's/, [0-9.]* s, memory/, TIME s, memory/; s/"seconds": [0-9.]*/"seconds": TIME/' out
  [ -z "${UPDATE:-}" ] || cp out "$golden/$name.txt"
  expect_same "$golden/$name.txt" out
}
compare race race.c
compare deadlock deadlock.c
compare lost-update lost-update.c
compare json --json deadlock.c
compare stores-tso --memory=tso stores.c
compare stores-pso --memory=pso --full stores.c
compare stores-random --memory=pso --strategy=random --no-predict --seed=7 --executions=3000 stores.c
compare stores-json --memory=pso --json stores.c
compare race-tso --memory=tso race.c
COLUMNS=60
export COLUMNS
compare narrow lost-update.c
unset COLUMNS
done_testing
