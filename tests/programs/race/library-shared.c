// Functions that leave their result in memory that all threads share, of which glibc says that threads must not call them at a time, and
// those that leave the locking of a stream to the program.
//
// verdict: BUG
// finding: data-race call
// case: fixed -DFIXED
// verdict: SAFE
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race call
// case: user -DCALL=getpwuid(0)
// verdict: BUG
// finding: data-race call
// case: group -DCALL=getgrnam("root")
// verdict: BUG
// finding: data-race call
// case: login -DCALL=getlogin()
// verdict: BUG
// finding: data-race call
// case: base64 -DCALL=l64a(77)
// verdict: BUG
// finding: data-race call
// case: conventions -DCALL=localeconv()
// verdict: BUG
// finding: data-race call
// case: multibyte -DCALL=mbtowc(0,0,0)
// verdict: BUG
// finding: data-race call
// case: state-of-its-own -DCALL=mbrtowc(0,"a",1,0)
// verdict: BUG
// finding: data-race call
// case: state-of-the-caller -DCALL=mbrtowc(0,"a",1,&(mbstate_t){0})
// verdict: SAFE
// case: reentrant -DCALL=getpwnam_r("root",0,0,0,(void*)&(char*){0})
// verdict: SAFE
// case: strings -DCALL=(mbstowcs((wchar_t[4]){0},"abc",4)+wcstombs((char[4]){0},L"abc",4))
// verdict: SAFE
// case: unlocked -DCALL=putchar_unlocked('x')
// verdict: BUG
// finding: data-race call
// case: unlocked-fixed -DCALL=putchar_unlocked('x') -DFIXED
// verdict: SAFE
// case: unlocked-in-flockfile -DCALL=(flockfile(stdout),putchar_unlocked('x'),funlockfile(stdout))
// verdict: SAFE
// case: unlocked-input -DCALL=getc_unlocked(stdin)
// verdict: BUG
// finding: data-race call
#include <grp.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#ifndef CALL
#define CALL getpwnam("root")
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  (void)CALL;  // @call
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return (void)lock, unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
