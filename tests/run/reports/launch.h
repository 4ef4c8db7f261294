/* What the programs of this folder have in common. */
#pragma once
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../moment.h"

/* Until that moment, and a sleep behind it, which every report says. */
#define await(n)      \
  do {                \
    moment_await(n);  \
    usleep(1);        \
  } while (0)

/* Creates a thread and waits until it has done its work, which ends by moment_reach(n). */
#define launch(n, t, function, data)             \
  do {                                           \
    pthread_create(t, NULL, (function), (data)); \
    await(n);                                    \
  } while (0)
