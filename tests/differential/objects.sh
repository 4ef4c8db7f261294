# Random objects, also where a thread crashes: every strategy says of a scenario what an enumeration of all schedules says (--strategy=naive).
# usage: objects.sh HEDDLE GENERATOR FROM TO
heddle=$(realpath "$1") generate=$(realpath "$2") from=$3 to=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
status=0 wrong=0 right=0
# The verdict, and the kinds of findings.
verdict() {
  "$heddle" check --linearizable --no-schedule --json "$@" >out 2>err
  code=$?
  kinds=$(grep -o '"kind": *"[a-z-]*"' out | sort -u | tr -d ' \n')
  echo "$code $kinds"
}
seed=$from
while [ "$seed" -le "$to" ]; do
  "$generate" "$seed" >o.c || exit 1
  expected=$(verdict --crash '--scenario=a() | b()' --strategy=naive o.c)
  for strategy in maximal dpor; do
    seen=$(verdict --crash '--scenario=a() | b()' --strategy=$strategy o.c)
    [ "$seen" = "$expected" ] && continue
    echo "seed $seed, a() | b() with a crash: $strategy says $seen, naive $expected"
    status=1
  done
  for scenario in 'a() b() | c()' 'a() | b() a()' 'a() | b()'; do
    for memory in sc tso; do
      [ $memory = tso ] && [ "$scenario" != 'a() | b()' ] && continue
      expected=$(verdict "--scenario=$scenario" --strategy=naive --memory=$memory o.c)
      case $expected in
        0*) right=$((right + 1)) ;;
        1*) wrong=$((wrong + 1)) ;;
        *) echo "seed $seed, $scenario: naive: $expected"; cat err; status=1 ;;
      esac
      for strategy in maximal dpor icb unfolding 'maximal -j2'; do
        seen=$(verdict "--scenario=$scenario" --strategy=$strategy --memory=$memory o.c)
        [ "$seen" = "$expected" ] && continue
        echo "seed $seed, $scenario, $memory: $strategy says $seen, naive $expected"
        status=1
      done
    done
  done
  seed=$((seed + 1))
done
echo "$right scenarios are right, $wrong are not"
[ $right -ge $((to - from)) ] && [ $wrong -ge $(((to - from) / 4)) ] || { echo "not enough of both"; status=1; }
exit $status
