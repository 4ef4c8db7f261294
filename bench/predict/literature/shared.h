/* What the programs of this folder have in common: threads that take a number. */
#pragma once
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS_MOST 16

static inline int number_of(void *argument) { return (int)(intptr_t)argument; }

/* Who looks at what others do lets them do something before. */
static inline void wait_a_moment(void) { usleep(3000); }

static inline void start(pthread_t *thread, void *(*body)(void *), int number) {
  if (pthread_create(thread, NULL, body, (void *)(intptr_t)number)) abort();
}

/* Runs `count` threads, numbered from 0 on, to their ends. */
static inline void run_all(void *(*body)(void *), int count) {
  pthread_t threads[THREADS_MOST];
  for (int i = 0; i < count; i++) start(&threads[i], body, i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}
