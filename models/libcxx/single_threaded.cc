/* glibc's hint that counters need not be atomic: never, because which thread counts is what is explored. A constant, so that
 * reading it is no step. */
extern "C" const char never_single_threaded __asm__("__libc_single_threaded");
const char never_single_threaded = 0;
