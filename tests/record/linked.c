/* predicts: data-race 0
 * linked: queue.c
 * A library of another compiler's is a part of the program, with a thread of its own: what it keeps to itself orders the threads. */
#include "libraries/queue.h"

int data;

void helper(int value) { data = value; }

int main(void) {
  queue_begin();
  data = 1;
  queue_give();
  queue_wait();
  data = 3;
  queue_end();
  return data - 3;
}
