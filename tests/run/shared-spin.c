/* finds: deadlock A; fixed: nothing. quickly. A spin lock that a child gives back which its parent took: only the parent's wait for its own
 * lock that no other process shares is one for ever. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef FIXED
enum { SHARED = PTHREAD_PROCESS_SHARED };
#else
enum { SHARED = PTHREAD_PROCESS_PRIVATE };
#endif

static pthread_spinlock_t *spin;

int main(void) {
  int status;
  spin = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (spin == MAP_FAILED || pthread_spin_init(spin, SHARED) != 0) return 2;
  pthread_spin_lock(spin);
  pid_t child = fork();
  if (child == 0) {
    usleep(100000);
    pthread_spin_unlock(spin);
    _exit(0);
  }
  pthread_spin_lock(spin); /* @A */
  if (waitpid(child, &status, 0) != child || status != 0) return 2;
  pthread_spin_unlock(spin);
  return pthread_spin_destroy(spin);
}
