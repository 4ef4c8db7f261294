# What a recorded run reads from outside, standard input, files and the environment, is in its log: it is reproduced, and replayed, without
# an option that says it, whatever has become of the files since.
. "$(dirname "$0")/lib.sh"

# A program that fails if an update is lost, by amounts which it reads. $1: its name, $2: how it reads `amount`.
lost() {
  cat >"$1.c" <<END_OF_PROGRAM
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int balance;
static int amount;
static void *slow(void *unused) {
  int before = balance;
  usleep(60000);
  balance = before + amount;
  return unused;
}
static void *quick(void *unused) {
  usleep(20000);
  balance = balance + amount;
  return unused;
}
static int number_of(FILE *f) {
  int n = 0;
  if (!f || fscanf(f, "%d", &n) != 1) exit(3);
  fclose(f);
  return n;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  $2
  pthread_create(&a, NULL, slow, argv[argc]);
  pthread_create(&b, NULL, quick, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance != 25 || argc > 99);
  return 0;
}
END_OF_PROGRAM
  "$heddle" cc -g -O2 -pthread "$1.c" -o "$1" || fail "$1.c does not compile"
}
# The run that was recorded is found again, and its schedule needs nothing.
found() { # PROGRAM [OPTION..]
  program=$1
  shift
  expect_code 134
  run reproduce --time=60 -o "$program.schedule" "$@" "$program.paths"
  expect_code 1
  expect_in out "balance != 25"
  run replay "$program.schedule"
  expect_code 1
  expect_in out "balance != 25"
}
number='amount = number_of(fopen("number", "r"));'

# Standard input: a file, a pipe, none; one after the other.
lost input 'char line[99]; while (fgets(line, sizeof line, stdin)) if (strncmp(line, "amount ", 7) == 0) amount = atoi(line + 7);'
printf 'first\namount 25\n\0\377last' >words
run record ./input <words
found input
expect_line input.schedule "input-bytes 66697273740a616d6f756e742032350a00ff6c617374"
printf 'amount 24' >words
printf 'amount 25\n' | "$heddle" record ./input >out 2>err
code=$?
rm words
found input
run record --on-failure ./input </dev/null
expect_code 0
run record ./input <&-
expect_code 0
# What stands before the place where the file is read from is not the program's.
printf 'amount 25\namount 7\n' >words
(head -c 0; read -r _; exec "$heddle" record -o rest.paths ./input >out 2>err) <words
[ $? = 0 ] || { fail "the program was given what was read before"; cat err; }
# The report says why nothing was found if input is missing: here the log says that it was a terminal.
if command -v script >/dev/null; then
  printf 'amount 25\n\004' | script -qec "'$heddle' record -o terminal.paths ./input" /dev/null >out 2>err
  run reproduce terminal.paths
  expect_code 3
  expect_in out "the run's standard input is not in its log: it is a device"
  echo 'amount 25' >words
  run reproduce --no-schedule --input=words terminal.paths
  expect_code 1
fi

# Every run of --until-failure is given the same, from a pipe as from a file; also what an earlier run left. Nobody waits for a
# pipe's end that its reader does not wait for.
lost again 'if (scanf("%d", &amount) != 1) return 3; FILE *f = fopen("count", "a+"); fputc(120, f); rewind(f); int n = 0; while (fgetc(f) == 120) n++; fclose(f); if (n < 3) return 0;'
echo 25 >words
run record --until-failure=5 ./again <words
expect_in err "which was number 3"
found again
rm count
{ echo 25; head -c 300000 /dev/zero; } | "$heddle" record --until-failure=5 ./again >out 2>err
code=$?
expect_in err "which was number 3"
found again
rm count
{ echo 25; sleep 5; } | timeout 60 "$heddle" record --until-failure=5 ./again >out 2>err
code=$?
expect_in err "which was number 3"
rm count
yes 25 | timeout 60 "$heddle" record --until-failure=5 ./again >out 2>err
expect_in err "which was number 3"

# What it is called by, and whoever looks at it.
lost called 'for (const char *s = argv[0]; *s; s++) if (*s == 47) amount++; if (amount == 1 && strcmp(argv[0], "./called") == 0) amount = 25;'
run record ./called
found called
expect_line called.schedule "called ./called"

# More than is kept: the run is as it was; another one cannot be given the same.
lost large 'unsigned long sum = 0, n = 0; for (int c; (c = getchar()) != EOF; n++) sum = sum * 31 + (unsigned char)c; printf("%lu %lx\n", n, sum); if (n > 20000000) amount = 25;'
head -c 21000000 /dev/urandom >large.bytes
./large <large.bytes >expected 2>/dev/null
"$heddle" record ./large <large.bytes >out 2>err
expect_same out expected
cat large.bytes | "$heddle" record ./large >out 2>err
expect_same out expected
cat large.bytes | "$heddle" record --until-failure=2 ./large -x >out 2>err
run reproduce large.paths
expect_code 3
expect_in out "the run's standard input is not in its log: it is too large"
lost drain 'static char some[99999]; while (read(0, some, sizeof some) > 0);'
cat large.bytes | "$heddle" record --until-failure=2 ./drain >out 2>err
code=$?
expect_complaint "standard input cannot be given to another run: more than 16 MB came through a pipe"
run record --until-failure=2 ./drain <large.bytes
expect_code 0

# A file that is changed later, or is there no more.
lost file "$number"
echo 25 >number
run record ./file
expect_code 134
echo 24 >number
found file
expect_line file.schedule "file-bytes number 32350a"
rm number
run reproduce --time=60 -o file.schedule file.paths
expect_code 1
echo 24 >number
run reproduce --no-schedule --file=number file.paths
expect_code 3
# One that the program itself changes, or makes.
lost own "$number"' FILE *f = fopen("number", "w"); fputs("1", f); fclose(f); f = fopen("made", "w"); fputs("25", f); fclose(f); unlink("number"); amount += number_of(fopen("made", "r")) - 25;'
echo 25 >number
echo 99 >made
run record ./own
found own
# By descriptors, and in memory.
lost mapped 'struct stat s; int fd = open("./number", O_RDONLY); if (fd < 0 || fstat(fd, &s)) return 3; char *p = mmap(NULL, s.st_size, PROT_READ, MAP_PRIVATE, fd, 0); if (p == MAP_FAILED) return 4; amount = atoi(p); munmap(p, s.st_size); close(fd);'
echo 25 >number
run record ./mapped
rm number
found mapped
lost opened 'char some[9] = {0}; int fd = openat(AT_FDCWD, "number", O_RDWR); if (fd < 0 || read(fd, some, 8) < 1) return 3; amount = atoi(some); if (pwrite(fd, "77", 2, 0) != 2) return 4; close(fd);'
echo 25 >number
run record ./opened
found opened
# A folder that the program goes to by its whole name.
lost whole 'amount = number_of(fopen(argv[1], "r"));'
echo 25 >number
run record ./whole "$PWD/number"
rm number
found whole

# C++'s streams are in a library that is not woven.
cat >stream.cc <<'END_OF_PROGRAM'
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
static std::atomic<int> state;
int main() {
  std::ifstream in("number");
  std::string line, all;
  while (std::getline(in, line)) all += line;
  std::thread t([&] { state = static_cast<int>(all.size()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  int seen = state;
  t.join();
  if (seen == 4) std::abort();
}
END_OF_PROGRAM
"$heddle" c++ -g -O2 stream.cc -o stream -pthread || fail "stream.cc does not compile"
printf '25\n25\n' >number
run record ./stream
expect_code 134
rm number
run reproduce --time=60 -o stream.schedule stream.paths
expect_code 1
run replay stream.schedule
expect_code 1

# Variables, but for those that the program has set.
lost variable 'if (getenv("SET_HERE")) return 3; setenv("SET_HERE", "1", 1); if (!getenv("SET_HERE")) return 4; const char *s = getenv("AMOUNT"); amount = s ? atoi(s) : 1;'
ran="heddle record with a variable"
AMOUNT=25 UNASKED=secret "$heddle" record ./variable >out 2>err
code=$?
found variable
expect_line variable.schedule "environment AMOUNT=25"
expect_not_in variable.schedule SET_HERE
if grep -q secret variable.paths; then fail "the log has a variable that the program did not ask for"; fi
run reproduce --no-schedule --env=AMOUNT=3 variable.paths
expect_code 3

# A file that is too large to be kept is named.
lost big 'FILE *f = fopen("large.bytes", "r"); if (!f || fseek(f, 20999999, SEEK_SET) || fgetc(f) == EOF) return 3; amount = 25;'
run record ./big
expect_code 134
[ "$(wc -c <big.paths)" -lt 1000000 ] || fail "the log is large"
run reproduce big.paths
expect_code 3
expect_in out "large.bytes, which the run opened, is not in its log: it is too large (kept are 16 MB of each file, and 64 MB of all); --file=large.bytes says"
run reproduce --time=60 --no-schedule --file=large.bytes big.paths
expect_code 1

# Many openings, many names; a pipe by name is not read; children, and programs that close all, have what is theirs.
lost many 'char name[99]; for (int i = 0; i < 100000; i++) { int fd = open("number", O_RDONLY); if (fd < 0 || fd > 20) return 3; close(fd); } for (int i = 0; i < 10000; i++) { sprintf(name, "no/%d", i); if (open(name, O_RDONLY) >= 0) return 4; } amount = 25;'
echo 25 >number
run record ./many
expect_code 134
[ "$(wc -c <many.paths)" -lt 3000000 ] || fail "the log is large"
mkfifo queue
lost taker 'char some[9] = {0}; int fd = open("queue", O_RDONLY); if (fd < 0 || read(fd, some, 8) < 2) return 3; amount = atoi(some);'
echo 25 >queue &
run record ./taker
expect_code 134
run reproduce taker.paths
expect_code 3
expect_in out "queue, which the run opened, is not in its log: it is a device, a socket or the like"
lost closes 'for (int i = 3; i < 2000; i++) close(i); for (int i = 0; i < 1000; i++) open("own.txt", O_RDWR | O_CREAT, 0600); if (open("number", O_RDONLY) >= 0) amount = 25;'
run record ./closes
expect_code 134
[ -e own.txt ] && [ ! -s own.txt ] || fail "$ran: the program's own file has got something"
lost forks "if (fork() == 0) { amount = number_of(fopen(\"other\", \"r\")); execl(\"/bin/cat\", \"cat\", \"other\", NULL); _exit(7); } int end; wait(&end); if (end) return 3; $number"
echo 7 >other
run record ./forks
expect_code 134
expect_line out 7
[ "$(head -c 60000 forks.paths | wc -c)" = 60000 ] || fail "$ran: there is no log"
run reproduce forks.paths
expect_code 2
expect_in err "fork is not supported"
# A full disk: the program has its files all the same.
ran="heddle record with a small file"
(ulimit -f 512; trap '' XFSZ; "$heddle" record ./file >out 2>err)
expect_in err "balance != 25"

# A run that hangs, and is killed, has what it was given up to then.
lost killed "$number"' if (number_of(stdin) != 5) return 9; if (amount == 25) for (pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;;) pthread_mutex_lock(&m);'
echo 25 >number
echo 5 | timeout 60 "$heddle" record --hang=1 ./killed >out 2>err
expect_in err "heddle: the run hung"
rm number
run reproduce --time=60 -o killed.schedule killed.paths
expect_code 1
expect_in out "deadlock"

# What of that is damaged is refused, or is what it says.
size=$(wc -c <input.paths)
for bytes in 96 65536 100000 $((size - 1)); do
  head -c "$bytes" input.paths >cut.paths
  run reproduce cut.paths
  expect_code 2
  expect_in err "heddle: cut.paths is no whole log of control flow: "
done

done_testing
