/* What the tests of helgrind and drd take from config.h, drd.h and helgrind.h: what this system has, and requests, which do nothing. */
#pragma once
#define ANNOTATE_SEM_INIT_PRE(x, n)                ((void)0)
#define ANNOTATE_SEM_DESTROY_POST(x)               ((void)0)
#define ANNOTATE_SEM_WAIT_PRE(x)                   ((void)0)
#define ANNOTATE_SEM_WAIT_POST(x)                  ((void)0)
#define ANNOTATE_SEM_POST_PRE(x)                   ((void)0)
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
#define RUNNING_ON_VALGRIND                        0
#define VALGRIND_DO_LEAK_CHECK                     ((void)0)
#define VALGRIND_PRINTF(...)                       ((void)0)
#define VALGRIND_HG_ENABLE_CHECKING(...)           ((void)0)
#define VALGRIND_HG_DISABLE_CHECKING(...)          ((void)0)
#define VALGRIND_HG_CLEAN_MEMORY(...)              ((void)0)
#define VALGRIND_HG_CLEAN_MEMORY_HEAPBLOCK(...)    ((void)0)
#define VALGRIND_HG_MUTEX_INIT_POST(...)           ((void)0)
#define VALGRIND_HG_MUTEX_LOCK_PRE(...)            ((void)0)
#define VALGRIND_HG_MUTEX_LOCK_POST(...)           ((void)0)
#define VALGRIND_HG_MUTEX_UNLOCK_PRE(...)          ((void)0)
#define VALGRIND_HG_MUTEX_UNLOCK_POST(...)         ((void)0)
#define VALGRIND_HG_MUTEX_DESTROY_PRE(...)         ((void)0)
#define VALGRIND_HG_GET_ABITS(...)                 0
#define VALGRIND_HG_GNAT_DEPENDENT_MASTER_JOIN(...) ((void)0)
#define DRD_GET_VALGRIND_THREADID                  0
#define DRD_GET_DRD_THREADID                       0
#define DRD_IGNORE_VAR(x)                          ((void)0)
#define DRD_STOP_IGNORING_VAR(x)                   ((void)0)
#define DRD_TRACE_VAR(x)                           ((void)0)
#define ANNOTATE_HAPPENS_BEFORE(x)                 ((void)0)
#define ANNOTATE_HAPPENS_AFTER(x)                  ((void)0)
#define ANNOTATE_NEW_MEMORY(x, n)                  ((void)0)
#define ANNOTATE_IGNORE_READS_BEGIN()              ((void)0)
#define ANNOTATE_IGNORE_READS_END()                ((void)0)
#define ANNOTATE_IGNORE_WRITES_BEGIN()             ((void)0)
#define ANNOTATE_IGNORE_WRITES_END()               ((void)0)
#define ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN()   ((void)0)
#define ANNOTATE_IGNORE_READS_AND_WRITES_END()     ((void)0)
#define ANNOTATE_BENIGN_RACE(x, why)               ((void)0)
#define ANNOTATE_BENIGN_RACE_SIZED(x, n, why)      ((void)0)
#define ANNOTATE_BENIGN_RACE_STATIC(x, why)
#define ANNOTATE_RWLOCK_CREATE(x)                  ((void)0)
#define ANNOTATE_RWLOCK_DESTROY(x)                 ((void)0)
#define ANNOTATE_RWLOCK_ACQUIRED(x, w)             ((void)0)
#define ANNOTATE_RWLOCK_RELEASED(x, w)             ((void)0)
#define ANNOTATE_READERLOCK_ACQUIRED(x)            ((void)0)
#define ANNOTATE_READERLOCK_RELEASED(x)            ((void)0)
#define ANNOTATE_WRITERLOCK_ACQUIRED(x)            ((void)0)
#define ANNOTATE_WRITERLOCK_RELEASED(x)            ((void)0)
#define ANNOTATE_THREAD_NAME(x)                    ((void)0)
#define ANNOTATE_TRACE_MEMORY(x)                   ((void)0)
#define ANNOTATE_PUBLISH_MEMORY_RANGE(x, n)        ((void)0)
#define ANNOTATE_UNPUBLISH_MEMORY_RANGE(x, n)      ((void)0)
#define ANNOTATE_UNPROTECTED_READ(x)               (x)
#define ANNOTATE_SEM_INIT_PRE(x, n)                ((void)0)
#define ANNOTATE_SEM_DESTROY_POST(x)               ((void)0)
#define ANNOTATE_SEM_WAIT_POST(x)                  ((void)0)
#define ANNOTATE_SEM_POST_PRE(x)                   ((void)0)
#define DRD_STOP_TRACING_VAR(x)                    ((void)0)
#define VALGRIND_MALLOCLIKE_BLOCK(...)             ((void)0)
#define VALGRIND_FREELIKE_BLOCK(...)               ((void)0)
