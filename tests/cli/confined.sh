# heddle run: programs that confine themselves; and compilers that are none.
. "$(dirname "$0")/lib.sh"

cat >confined.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile int shared;
static void *work(void *unused) {
  shared = 1; /* line 18 */
  return unused;
}
/* No descriptor is left, and all numbers are the program's own file. */
static void closes(void) {
  for (int i = 0; i < 2048; i++) close(i);
  for (int i = open("own", O_RDWR | O_CREAT | O_TRUNC, 0600); i >= 0 && i < 1500;) i = dup(i);
}
/* Other files than open(), and other calls than these, end the program, or fail. */
static void filters(unsigned otherwise, int how) {
  struct sock_filter f[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
                            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
                            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
                            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                            BPF_STMT(BPF_RET | BPF_K, otherwise)};
  struct sock_fprog p = {sizeof f / sizeof f[0], f};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) exit(1);
  if (how == 0 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p)) exit(1);
}
static void limits(void) {
  struct rlimit limit = {1ul << 30, 1ul << 30}, told;
  if (setrlimit(RLIMIT_AS, &limit) || getrlimit(RLIMIT_AS, &told) || told.rlim_cur != limit.rlim_cur || told.rlim_max != limit.rlim_max)
    exit(1);
  if (prlimit(0, RLIMIT_DATA, &limit, NULL) || prlimit(0, RLIMIT_DATA, NULL, &told) || told.rlim_cur != limit.rlim_cur) exit(1);
  void *volatile few = malloc(100 << 20), *volatile many = malloc(8ul << 30);
  if (!few || many) exit(1);
}
static void leaves(const char *root) {
  if (chroot(root) != 0 || chdir("/") != 0 || setgid(65534) != 0 || setuid(65534) != 0) exit(77);
}
int main(int argc, char **argv) {
  pthread_t t;
  if (argc < 2) return 1;
  if (strcmp(argv[1], "closes") == 0) closes();
  if (strcmp(argv[1], "kills") == 0) filters(SECCOMP_RET_KILL_PROCESS, argc > 2);
  if (strcmp(argv[1], "fails") == 0) filters(SECCOMP_RET_ERRNO | EPERM, argc > 2);
  if (strcmp(argv[1], "limits") == 0) limits();
  if (strcmp(argv[1], "leaves") == 0) leaves(argv[2]);
  if (pthread_create(&t, NULL, work, NULL) != 0) return 1;
  shared = 2; /* line 59 */
  pthread_join(t, NULL);
  return 3;
}
END
gcc -g -O1 -fsanitize=thread confined.c -o confined || fail gcc
"$heddle" cc -g -O1 -fheddle=run -static-libsan confined.c -o carried || fail "heddle cc"
mkdir root
for program in ./confined ./carried; do
  for how in closes limits fails "fails other" "leaves $work/root"; do
    rm -f log
    # shellcheck disable=SC2086
    run run --log=log "$program" $how
    [ $code = 77 ] && continue # only root can
    expect_code 3
    expect_in log "WARNING: Heddle: data race"
    expect_in log "confined.c:18"
    expect_in log "confined.c:59"
    expect_empty err
  done
  expect_empty own
  for how in kills "kills other"; do
    # shellcheck disable=SC2086
    run run "$program" $how
    expect_code 159
    expect_line err "heddle: from here on the system ends the program (SIGSYS) at calls that the runtime makes, too: let its filter allow openat"
  done
done

# What is not clang is told once.
echo 'int main(void) { return 0; }' >small.c
for command in cc "cc -fheddle=run" check; do
  # shellcheck disable=SC2086
  HEDDLE_CLANG=gcc run $command small.c
  expect_complaint "gcc is not clang"
done

done_testing
