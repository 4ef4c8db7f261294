/* Traces in which reads see values, and threads wait for a condition, and all other orders that a program that did such a trace can come
 * to, by brute force. A thread does the same again as long as its reads see the same values; behind a read that sees another one anything
 * may come. Behind what is known of a thread it gives its locks back, if it is let. */
#pragma once
#include <stdbool.h>

enum { EVENTS = 34, THREADS = 3, LOCKS = 2, WORDS = 4, NOBODY = -1, NO_EVENT = -1 };
enum what { READ, WRITE, END, TAKE, GIVE, NOTIFY, TRY };

struct event {
  enum what what;
  int thread, object; /* object: a word, or a lock */
  int value;          /* that is read or written */
  bool waits;         /* GIVE: the thread begins to wait for the condition; TAKE: it goes on, notified. Both are of lock 0 */
  bool shared;        /* TAKE, GIVE, TRY: by a reader. TRY: in vain, since another thread has the lock */
};

struct trace {
  struct event events[EVENTS];
  int count;
  int of[THREADS][EVENTS], n[THREADS]; /* a thread's events */
};

/* What an order has to obey besides each thread's own. */
enum {
  OBEY_LOCKS = 1,  /* one thread holds a lock, or readers do; who waits is notified before it goes on; who tries in vain does so again */
  OBEY_VALUES = 2, /* a thread goes on behind a read only if it sees what it saw */
  OBEY_WRITERS = 4 /* or if what it saw has been written, whatever was since */
};

/* True if both events can be next at the same time; or if the first can be next when the second, an end or a notification, has been. Of
 * events before `until`. */
bool orders_show(const struct trace *t, int first, int second, int until, unsigned obey);

/* True if the thread can begin that wait and never be notified: nobody can go on then, nor go on otherwise, behind another value. */
bool orders_lose(const struct trace *t, int wait);
