// Requests to pipes and to standard input: what can be read at once, whether reads wait, and those of terminals, which nothing is.
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
int main(void) {
  int ends[2], n = -1, on = 1;
  char c[4];
  assert(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3);
  assert(ioctl(ends[0], FIONREAD, &n) == 0 && n == 3);
  assert(read(ends[0], c, 2) == 2 && ioctl(ends[0], FIONREAD, &n) == 0 && n == 1);
  assert(ioctl(ends[0], FIONBIO, &on) == 0 && read(ends[0], c, 1) == 1);
  assert(read(ends[0], c, 1) == -1 && errno == EAGAIN);
  assert(ioctl(0, FIONREAD, &n) == 0 && n == 0);
  assert(ioctl(1, TIOCGWINSZ, &n) == -1 && errno == ENOTTY);
  assert(ioctl(77, FIONREAD, &n) == -1 && errno == EBADF);
  return 0;
}
