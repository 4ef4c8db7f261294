/* Two threads load one library by NSPR, call it and give it back. */
#include <assert.h>
#include "prlink.h"
#include "prthread.h"
#include "prinit.h"
static void PR_CALLBACK work(void *a) {
  PRLibrary *l = PR_LoadLibrary("./libplug.so");
  assert(l);
  int (*plug)(void) = (int (*)(void))PR_FindFunctionSymbol(l, "plug");
  assert(plug && plug() > 0);
  assert(PR_UnloadLibrary(l) == PR_SUCCESS);
  (void)a;
}
int main(void) {
  PR_Init(PR_USER_THREAD, PR_PRIORITY_NORMAL, 1);
  PRThread *t = PR_CreateThread(PR_USER_THREAD, work, NULL, PR_PRIORITY_NORMAL, PR_GLOBAL_THREAD, PR_JOINABLE_THREAD, 0);
  work(0);
  PR_JoinThread(t);
  return 0;
}
