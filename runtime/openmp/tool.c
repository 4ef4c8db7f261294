/* libomp tells its tools of teams and tasks. It looks for ompt_start_tool() when it starts. */
#include "openmp/library.h"
#include "openmp/ompt.h"

static ompt_get_task_memory *task_memory;
static ompt_get_task_info *task_info;

static void parallel_begin(union ompt_data *encountering, const void *frame, union ompt_data *parallel, unsigned asked, int flags,
                           const void *pc) {
  (void)encountering, (void)frame, (void)asked, (void)flags;
  parallel->ptr = team_new((uintptr_t)pc);
}

static void parallel_end(union ompt_data *parallel, union ompt_data *encountering, int flags, const void *pc) {
  (void)flags, (void)pc;
  team_end(parallel->ptr);
  parallel->ptr = NULL;
  task_now = encountering ? encountering->ptr : NULL;
  actor_switch(task_now ? task_now->actor : NULL);
}

/* A worker's ends when the next team needs it: only its own is asked for then. */
static void implicit_task(int endpoint, union ompt_data *parallel, union ompt_data *task, unsigned threads, unsigned index, int flags) {
  (void)threads, (void)index;
  if (endpoint == OMPT_BEGIN) {
    /* The program's own is of a team that nobody has told of; those of a league, of the one that the construct has made. */
    if (flags & OMPT_TASK_INITIAL && !parallel->ptr) parallel->ptr = team_new(0);
    task->ptr = implicit_begins(parallel->ptr);
  } else if (endpoint == OMPT_END) {
    implicit_ends(task->ptr, NULL);
    task->ptr = NULL;
  }
}

static void sync_region(int kind, int endpoint, union ompt_data *parallel, union ompt_data *data, const void *pc) {
  (void)parallel, (void)pc;
  struct task *task = data ? data->ptr : NULL;
  if (kind == OMPT_SYNC_REDUCTION) return;
  bool barrier = kind != OMPT_TASKWAIT && kind != OMPT_TASKGROUP;
  if (endpoint & OMPT_BEGIN) {
    if (barrier) barrier_comes(task);
    if (kind == OMPT_TASKGROUP) group_begins(task);
  }
  if (endpoint & OMPT_END) {
    if (barrier) barrier_leaves(task);
    if (kind == OMPT_TASKGROUP) group_ends(task);
    if (kind == OMPT_TASKWAIT) task_waited(task);
  }
}

/* Behind it the library may call functions of the program, for reductions, before the region ends. */
static void sync_region_wait(int kind, int endpoint, union ompt_data *parallel, union ompt_data *data, const void *pc) {
  (void)parallel, (void)pc;
  if (kind == OMPT_TASKGROUP && endpoint & OMPT_END && data) group_waited(data->ptr);
}

/* In a barrier a thread that has come may reduce what others have brought there. */
static void reduction(int kind, int endpoint, union ompt_data *parallel, union ompt_data *data, const void *pc) {
  (void)kind, (void)parallel, (void)pc;
  struct task *task = data ? data->ptr : task_now;
  if (endpoint & OMPT_BEGIN) barrier_looks(task);
  if (endpoint & OMPT_END) barrier_comes(task);
}

static void task_create(union ompt_data *encountering, const void *frame, union ompt_data *task, int flags, int dependences,
                        const void *pc) {
  (void)frame, (void)dependences;
  if (flags & OMPT_TASK_INITIAL) return;
  struct task *made = task_new(encountering ? encountering->ptr : task_now, (uintptr_t)pc, !(flags & OMPT_TASK_UNDEFERRED));
  if (made) made->untied = flags & OMPT_TASK_UNTIED;
  task->ptr = made;
}

/* The library will use its memory for another task. */
static void forget_memory(void) {
  void *address;
  size_t size;
  int more = task_memory != NULL;
  for (int block = 0; more; block++) {
    size = 0;
    more = task_memory(&address, &size, block);
    if (size) access_forget((uintptr_t)address, size);
  }
}

/* Where the frames of the task that begins will be. */
static uintptr_t base_of(const union ompt_data *task) {
  enum { LIBRARY = 256 }; /* of its frames */
  struct ompt_frame *frame = NULL;
  union ompt_data *data = NULL;
  if (task_info && task_info(0, NULL, &data, &frame, NULL, NULL) == 2 && data == task && frame && frame->exit.ptr)
    return (uintptr_t)frame->exit.ptr;
  return (uintptr_t)__builtin_frame_address(0) + LIBRARY;
}

/* A part of an untied task begins in the midst of `before`, unless that is one that gives way to the one below it. */
static void note_resumed(struct task *task, struct task *before) {
  bool gives_way = before && before->untied && before->resumes == task;
  if (task && task->untied && task != before && !gives_way) task->resumes = before;
}

static void task_schedule(union ompt_data *first, int status, union ompt_data *second) {
  struct task *before = first ? first->ptr : NULL, *next = second ? second->ptr : NULL;
  bool returned = before && before->returned; /* and the next one goes on since then */
  switch ((enum ompt_task_status)status) {
    case OMPT_EARLY_FULFILL:
      if (before) order_release(&before->start);
      return;
    case OMPT_TASKWAIT_COMPLETE:
      task_chose(before);
      first->ptr = NULL;
      return;
    case OMPT_LATE_FULFILL:
      task_over(before);
      first->ptr = NULL;
      return;
    case OMPT_COMPLETE:
    case OMPT_CANCEL:
      forget_memory();
      task_ends(before);
      first->ptr = NULL;
      if (returned) return;
      break;
    case OMPT_DETACH:
      task_pauses(before);
      break;
    case OMPT_YIELD:
    case OMPT_SWITCH:
      task_pauses(before);
      note_resumed(next, before);
  }
  task_begins(next, next && !next->begun && !next->untied ? base_of(second) : 0); /* parts have their own frames (kmpc.c) */
}

static void dependences(union ompt_data *data, const struct ompt_dependence *d, int count) {
  struct task *task = data->ptr;
  for (int i = 0; i < count; i++) {
    int type = d[i].type;
    if (type == OMPT_SOURCE || type == OMPT_SINK) continue; /* kmpc.c */
    task_depends(task, (uintptr_t)d[i].variable.ptr,
                 type == OMPT_IN              ? DEPEND_IN
                 : type == OMPT_MUTEXINOUTSET ? DEPEND_MUTEX
                 : type == OMPT_INOUTSET      ? DEPEND_SET
                                              : DEPEND_OUT);
  }
}

static int initialize(ompt_lookup *lookup, int device, union ompt_data *data) {
  (void)device, (void)data;
  ompt_set_callback *set = (ompt_set_callback *)lookup("ompt_set_callback");
  task_memory = (ompt_get_task_memory *)lookup("ompt_get_task_memory");
  task_info = (ompt_get_task_info *)lookup("ompt_get_task_info");
  if (!set) return 0;
  set(OMPT_PARALLEL_BEGIN, (ompt_function *)parallel_begin), set(OMPT_PARALLEL_END, (ompt_function *)parallel_end);
  set(OMPT_IMPLICIT_TASK, (ompt_function *)implicit_task), set(OMPT_SYNC_REGION, (ompt_function *)sync_region);
  set(OMPT_TASK_CREATE, (ompt_function *)task_create), set(OMPT_TASK_SCHEDULE, (ompt_function *)task_schedule);
  set(OMPT_SYNC_REGION_WAIT, (ompt_function *)sync_region_wait);
  set(OMPT_DEPENDENCES, (ompt_function *)dependences), set(OMPT_REDUCTION, (ompt_function *)reduction);
  openmp_understands((void *)lookup);
  openmp_tells = true;
  return 1;
}

static void finalize(union ompt_data *data) { (void)data; }

PUBLIC struct ompt_start_tool_result *ompt_start_tool(unsigned version, const char *library);
struct ompt_start_tool_result *ompt_start_tool(unsigned version, const char *library) {
  static struct ompt_start_tool_result result = {initialize, finalize, {0}};
  (void)version, (void)library;
  return runtime_on ? &result : NULL;
}
