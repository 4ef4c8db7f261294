/* What the tests of helgrind and drd take from config.h: what this system has. */
#pragma once
#define HAVE_BUILTIN_ATOMIC                        1
#define HAVE_PTHREAD_BARRIER                       1
#define HAVE_PTHREAD_CREATE_GLIBC_2_0              0
#define HAVE_PTHREAD_MUTEX_ADAPTIVE_NP             1
#define HAVE_PTHREAD_MUTEX_ERRORCHECK_NP           1
#define HAVE_PTHREAD_MUTEX_RECURSIVE_NP            1
#define HAVE_PTHREAD_MUTEX_TIMEDLOCK               1
#define HAVE_PTHREAD_RWLOCK_T                      1
#define HAVE_PTHREAD_RWLOCK_TIMEDRDLOCK            1
#define HAVE_PTHREAD_RWLOCK_TIMEDWRLOCK            1
#define HAVE_PTHREAD_SPIN_LOCK                     1
#define HAVE_PTHREAD_SETNAME_NP                    1
#define HAVE_PTHREAD_YIELD                         1
#define HAVE_CLOCK_GETTIME                         1
#define HAVE_CLOCK_MONOTONIC                       1
#define HAVE_SHARED_POINTER_ANNOTATION             0
