// error() and error_at_line(): the program's name stands before the message, its end is the status.
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <error.h>
#include <stdlib.h>

static void last(void) { assert(error_message_count == 2); }

int main(void) {
  atexit(last);
  error(0, EINVAL, "number %d", 7);
  error_at_line(3, 0, "file", 5, "the end");
  assert(0);
}
