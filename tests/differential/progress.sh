# Random objects: what --progress and --crash say of a scenario is what follows from the definitions, and what it finds is shown again.
# usage: progress.sh HEDDLE GENERATOR FROM TO
heddle=$(realpath "$1") generate=$(realpath "$2") from=$3 to=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
status=0
: >all
seed=$from
while [ "$seed" -le "$to" ]; do
  "$generate" "$seed" o.c >expected || exit 1
  while read -r condition expected scenario; do
    rm -f s
    asks="--progress=$condition --only=not-$condition"
    [ "$condition" = crash ] && asks='--crash --only=deadlock,livelock'
    # shellcheck disable=SC2086
    timeout 60 "$heddle" check --linearizable $asks --scenario="$scenario" --schedule=s o.c >out 2>err
    code=$?
    case $code in
      1) seen=fails ;;
      0 | 3) if grep -q "it is not known whether" out; then seen="not known"; else seen=holds; fi ;;
      *) seen="an error" ;;
    esac
    echo "$condition $seen" >>all
    if [ "$seen" != "$expected" ]; then
      echo "seed $seed, $scenario: $condition $expected, heddle says: $seen"
      cat err out | head -20
      status=1
    elif [ $code = 1 ] && { "$heddle" replay s >again 2>&1; [ $? != 1 ]; }; then
      echo "seed $seed, $scenario: the schedule does not show $condition again"
      cat again
      status=1
    fi
  done <expected
  seed=$((seed + 1))
done
sort all | uniq -c
for condition in obstruction-free lock-free wait-free crash; do
  for seen in holds fails; do
    [ "$(grep -c "$condition $seen" all)" -ge $(((to - from) / 8)) ] || { echo "not enough: $condition $seen"; status=1; }
  done
done
exit $status
