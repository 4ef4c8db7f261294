/* Threads that sleep on a word of memory, as Linux' futexes let them: std::atomic<>::wait, semaphores, latches, barriers, timed waits for
 * futures. */
#pragma once
#include <errno.h>
#include <time.h>

namespace heddle {

/* Sleeps if *word is `value`, until unpark(word) or the absolute time `until` on `clock` (null: no limit). 0: woken; EAGAIN: the word had
 * another value; ETIMEDOUT. */
int park(const int *word, int value, const timespec *until, clockid_t clock);
/* Wakes up to `count` of the threads that sleep on `word`; which ones is explored. Returns how many. */
unsigned unpark(const int *word, unsigned count);

}  // namespace heddle
