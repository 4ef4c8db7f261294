/* What NSPR has for threads: -DT_CVAR and so on says what. */
#include <assert.h>
#include "prthread.h"
#include "prlock.h"
#include "prcvar.h"
#include "prmon.h"
#include "prinit.h"
#include "prrwlock.h"
#include "pratom.h"
#include "prtpool.h"
static PRLock *lock;
static PRCondVar *cv;
static PRMonitor *mon;
static int ready, count;
static void PR_CALLBACK work(void *arg) {
#if defined T_CVAR
  PR_Lock(lock);
  ready = 1;
  PR_NotifyCondVar(cv);
  PR_Unlock(lock);
#elif defined T_MONITOR
  PR_EnterMonitor(mon);
  PR_EnterMonitor(mon);
  ready = 1;
  PR_Notify(mon);
  PR_ExitMonitor(mon);
  PR_ExitMonitor(mon);
#elif defined T_ATOMIC
  PR_ATOMIC_INCREMENT(&count);
#elif defined T_INTERRUPT
  PR_Lock(lock);
  PRStatus s = PR_SUCCESS;
  while (!ready && s == PR_SUCCESS)
    s = PR_WaitCondVar(cv, PR_INTERVAL_NO_TIMEOUT);
  PR_Unlock(lock);
#elif defined T_TIMEOUT
  PR_Lock(lock);
  ready = 1;
  PR_NotifyCondVar(cv);
  PR_Unlock(lock);
#endif
}
int main(void) {
  PR_Init(PR_USER_THREAD, PR_PRIORITY_NORMAL, 1);
  lock = PR_NewLock();
  cv = PR_NewCondVar(lock);
  mon = PR_NewMonitor();
  PRThread *t = PR_CreateThread(PR_USER_THREAD, work, NULL, PR_PRIORITY_NORMAL, PR_GLOBAL_THREAD, PR_JOINABLE_THREAD, 0);
#if defined T_CVAR
  PR_Lock(lock);
  while (!ready)
    PR_WaitCondVar(cv, PR_INTERVAL_NO_TIMEOUT);
  PR_Unlock(lock);
#elif defined T_MONITOR
  PR_EnterMonitor(mon);
  while (!ready)
    PR_Wait(mon, PR_INTERVAL_NO_TIMEOUT);
  PR_ExitMonitor(mon);
#elif defined T_ATOMIC
  PR_ATOMIC_INCREMENT(&count);
#elif defined T_INTERRUPT
  PR_Interrupt(t);
#elif defined T_TIMEOUT
  PR_Lock(lock);
  if (!ready)
    PR_WaitCondVar(cv, PR_MillisecondsToInterval(10));
  PR_Unlock(lock);
#endif
  PR_JoinThread(t);
#if defined T_ATOMIC
  assert(count == 2);
#endif
  PR_DestroyMonitor(mon);
  PR_DestroyCondVar(cv);
  PR_DestroyLock(lock);
  return 0;
}
