/* What the tests of helgrind and drd take from config.h, drd.h, helgrind.h and valgrind.h, natively. Requests to valgrind (VALGRIND_HG_*, DRD_*)
 * are its own inline assembly, which does nothing outside of it and which no sanitizer sees. What ThreadSanitizer has functions for calls
 * them; so do its own tests, and so does whoever defines these macros for it. */
#pragma once
#pragma GCC system_header
#include <stddef.h>

#include "../have.h"
#include <valgrind/valgrind.h>
#include <valgrind/helgrind.h>
#define DRD_IGNORE_VAR(x) ANNOTATE_BENIGN_RACE_SIZED(&(x), sizeof(x), "")
#include <valgrind/drd.h>
#define HAVE_BUILTIN_ATOMIC_CXX 1
#define VALGRIND_DO_LEAK_CHECK                     ((void)0)
#undef VALGRIND_HG_GET_ABITS
#define VALGRIND_HG_GET_ABITS(...) 0
#ifdef __cplusplus
extern "C" {
#endif
void AnnotateHappensBefore(const char *, int, const volatile void *);
void AnnotateHappensAfter(const char *, int, const volatile void *);
void AnnotateNewMemory(const char *, int, const volatile void *, size_t);
void AnnotateIgnoreReadsBegin(const char *, int);
void AnnotateIgnoreReadsEnd(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
void AnnotateBenignRaceSized(const char *, int, const volatile void *, size_t, const char *);
void AnnotateRWLockCreate(const char *, int, const volatile void *);
void AnnotateRWLockDestroy(const char *, int, const volatile void *);
void AnnotateRWLockAcquired(const char *, int, const volatile void *, long);
void AnnotateRWLockReleased(const char *, int, const volatile void *, long);
void AnnotateThreadName(const char *, int, const char *);
void AnnotatePublishMemoryRange(const char *, int, const volatile void *, size_t);
void AnnotateUnpublishMemoryRange(const char *, int, const volatile void *, size_t);
#ifdef __cplusplus
}
#endif
#define ANNOTATE_AT __FILE__, __LINE__
#undef ANNOTATE_HAPPENS_BEFORE
#undef ANNOTATE_HAPPENS_AFTER
#undef ANNOTATE_NEW_MEMORY
#undef ANNOTATE_IGNORE_READS_BEGIN
#undef ANNOTATE_IGNORE_READS_END
#undef ANNOTATE_IGNORE_WRITES_BEGIN
#undef ANNOTATE_IGNORE_WRITES_END
#undef ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN
#undef ANNOTATE_IGNORE_READS_AND_WRITES_END
#undef ANNOTATE_BENIGN_RACE
#undef ANNOTATE_BENIGN_RACE_SIZED
#undef ANNOTATE_BENIGN_RACE_STATIC
#undef ANNOTATE_RWLOCK_CREATE
#undef ANNOTATE_RWLOCK_DESTROY
#undef ANNOTATE_RWLOCK_ACQUIRED
#undef ANNOTATE_RWLOCK_RELEASED
#undef ANNOTATE_READERLOCK_ACQUIRED
#undef ANNOTATE_READERLOCK_RELEASED
#undef ANNOTATE_WRITERLOCK_ACQUIRED
#undef ANNOTATE_WRITERLOCK_RELEASED
#undef ANNOTATE_THREAD_NAME
#undef ANNOTATE_PUBLISH_MEMORY_RANGE
#undef ANNOTATE_UNPUBLISH_MEMORY_RANGE
#define ANNOTATE_HAPPENS_BEFORE(x)                 AnnotateHappensBefore(ANNOTATE_AT, (const volatile void *)(x))
#define ANNOTATE_HAPPENS_AFTER(x)                  AnnotateHappensAfter(ANNOTATE_AT, (const volatile void *)(x))
#define ANNOTATE_NEW_MEMORY(x, n)                  AnnotateNewMemory(ANNOTATE_AT, x, n)
#define ANNOTATE_IGNORE_READS_BEGIN()              AnnotateIgnoreReadsBegin(ANNOTATE_AT)
#define ANNOTATE_IGNORE_READS_END()                AnnotateIgnoreReadsEnd(ANNOTATE_AT)
#define ANNOTATE_IGNORE_WRITES_BEGIN()             AnnotateIgnoreWritesBegin(ANNOTATE_AT)
#define ANNOTATE_IGNORE_WRITES_END()               AnnotateIgnoreWritesEnd(ANNOTATE_AT)
#define ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN()   (AnnotateIgnoreReadsBegin(ANNOTATE_AT), AnnotateIgnoreWritesBegin(ANNOTATE_AT))
#define ANNOTATE_IGNORE_READS_AND_WRITES_END()     (AnnotateIgnoreWritesEnd(ANNOTATE_AT), AnnotateIgnoreReadsEnd(ANNOTATE_AT))
#define ANNOTATE_BENIGN_RACE(x, why)               AnnotateBenignRaceSized(ANNOTATE_AT, x, sizeof(*(x)), why)
#define ANNOTATE_BENIGN_RACE_SIZED(x, n, why)      AnnotateBenignRaceSized(ANNOTATE_AT, x, n, why)
#define ANNOTATE_BENIGN_RACE_STATIC(x, why) \
  namespace { struct x##_annotator { x##_annotator() { AnnotateBenignRaceSized(ANNOTATE_AT, &x, sizeof x, why); } }; x##_annotator the_##x##_annotator; }
#define ANNOTATE_RWLOCK_CREATE(x)                  AnnotateRWLockCreate(ANNOTATE_AT, x)
#define ANNOTATE_RWLOCK_DESTROY(x)                 AnnotateRWLockDestroy(ANNOTATE_AT, x)
#define ANNOTATE_RWLOCK_ACQUIRED(x, w)             AnnotateRWLockAcquired(ANNOTATE_AT, x, w)
#define ANNOTATE_RWLOCK_RELEASED(x, w)             AnnotateRWLockReleased(ANNOTATE_AT, x, w)
#define ANNOTATE_READERLOCK_ACQUIRED(x)            AnnotateRWLockAcquired(ANNOTATE_AT, x, 0)
#define ANNOTATE_READERLOCK_RELEASED(x)            AnnotateRWLockReleased(ANNOTATE_AT, x, 0)
#define ANNOTATE_WRITERLOCK_ACQUIRED(x)            AnnotateRWLockAcquired(ANNOTATE_AT, x, 1)
#define ANNOTATE_WRITERLOCK_RELEASED(x)            AnnotateRWLockReleased(ANNOTATE_AT, x, 1)
#define ANNOTATE_THREAD_NAME(x)                    AnnotateThreadName(ANNOTATE_AT, x)
#define ANNOTATE_PUBLISH_MEMORY_RANGE(x, n)        AnnotatePublishMemoryRange(ANNOTATE_AT, x, n)
#define ANNOTATE_UNPUBLISH_MEMORY_RANGE(x, n)      AnnotateUnpublishMemoryRange(ANNOTATE_AT, x, n)
