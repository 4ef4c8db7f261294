# What is wrong with a command line gets one clear message, and exit code 2.
. "$(dirname "$0")/lib.sh"

run --version
expect_code 0
expect_in out "heddle 0."
run help
expect_code 0
expect_in out "check"
run check --help
expect_code 0
expect_in out "--strategy=NAME"
expect_in out "dpor"

run
expect_complaint "no command given"
run chekc
expect_complaint 'there is no command "chekc"'
expect_line err "heddle: hint: did you mean heddle check?"
run check
expect_complaint "no program given"
run check --stratgy=dpor x.c
expect_complaint "there is no option --stratgy"
expect_line err "heddle: hint: did you mean --strategy?"
run check nowhere.c
expect_code 2
expect_in err "nowhere.c"
run replay
expect_complaint "no schedule given"
run replay nowhere.schedule
expect_complaint "cannot open nowhere.schedule: No such file or directory"
run show a b
expect_complaint "heddle show takes one file"
run help nothing
expect_complaint 'there is no command "nothing"'

racy x.c
run check --memory=weak x.c
expect_complaint 'there is no memory model "weak"; sc, tso and pso are known'
run check --strategy=best x.c
expect_complaint 'there is no strategy "best"'
expect_in err "naive"
run check --strategy=mcr-s --dependency=some x.c
expect_complaint "--dependency takes all, dynamic or static"
run check --strategy=dpor --dependency=all x.c
expect_complaint "--dependency is for the strategies mcr-s and mcr-s+"
run check --strategy=dpor --cutoffs x.c
expect_complaint "--cutoffs is for the strategy unfolding"
run check --strategy=dpor --order=random x.c
expect_complaint "--order is for the strategy unfolding"
run check --strategy=unfolding --order=best x.c
expect_complaint "--order takes depth, breadth or random"
run check --strategy=unfolding --cutoffs --loop-bound=1 x.c
expect_complaint "--cutoffs and --loop-bound exclude each other"
run check --format=xml x.c
expect_complaint 'there is no report format "xml"; text and json are'
run check --input=missing x.c
expect_complaint "cannot open missing: No such file or directory"
run check --file=. x.c
expect_complaint ". is a folder, not a file"

echo 'int main(void) { return x; }' >bad.c
run check bad.c
expect_code 2
expect_in err "heddle: bad.c does not compile"
echo 'int f(void) { return 0; }' >nomain.c
run check nomain.c
expect_code 2
expect_in err "main"
echo 'not bitcode' >text.bc
run check text.bc
expect_code 2
expect_in err "text.bc"
done_testing
